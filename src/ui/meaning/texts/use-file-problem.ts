import { useState } from 'react';
import { useRoom } from '../use-room.ts';
import { openFiles } from './taken-files.ts';

/** Opens files, and holds what was wrong with the last ones. */
export function useFileProblem() {
  const { input } = useRoom();
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (files: readonly File[]) => setProblem(await openFiles(files, input.getState()));
  return { problem, open };
}
