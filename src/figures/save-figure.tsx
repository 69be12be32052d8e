import { type ComponentProps, useState } from 'react';
import { Button, saveFile } from '../parts/buttons.tsx';
import type { Typesetter, VectorFigure } from './drawing/figure.ts';
import { exportWords } from './words.en.ts';

interface SaveFigureProps extends Pick<ComponentProps<typeof Button>, 'look'> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly figure: (typesetter: Typesetter) => Promise<VectorFigure>;
}

/** Buttons that save a figure as SVG or PNG; the modules that write them load at the first press. */
export function SaveFigure({ name, look = 'quiet', figure }: SaveFigureProps) {
  const words = exportWords();
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (format: 'svg' | 'png') => {
    try {
      const { createPageTypesetter } = await import('./drawing/typesetter.ts');
      const { fileOfFigure } = await import('./writers/svg.ts');
      saveFile(`${name}.${format}`, await fileOfFigure(await figure(createPageTypesetter(document)), format));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Button look={look} onClick={() => void save('svg')}>
        {words.save('SVG')}
      </Button>
      <Button look={look} onClick={() => void save('png')}>
        {words.save('PNG')}
      </Button>
      {problem !== null && <p role="alert">{words.failed(problem)}</p>}
    </>
  );
}
