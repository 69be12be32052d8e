import { useState } from 'react';
import type { Answer } from '../../../state/documents/answers.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { useStores } from '../../use-stores.ts';
import styles from './save-row.module.css';

/** See `SaveRow`. */
export interface SaveRowProps {
  readonly question: string;
  readonly answers: readonly Answer[];
}

/** Files that answers are saved as; what writes them loads with the first one. */
const FORMATS = ['csv', 'json', 'markdown', 'report'] as const;

/** Saves or prints the answers, each with its sentence and its source. */
export function SaveRow({ question, answers }: SaveRowProps) {
  const words = documentsWords().save;
  const { documents } = useStores();
  const [saved, setSaved] = useState('');
  const save = async (format: (typeof FORMATS)[number]) => {
    const { fileOf } = await import('./files.ts');
    const { name, content } = fileOf(format, question, answers, documents.getState().list);
    download(name, content);
    setSaved(words.saved(name));
  };
  return (
    <div className={styles.row} role="group" aria-label={words.label}>
      <span>{words.label}</span>
      {FORMATS.map((format) => (
        <Button key={format} onClick={() => void save(format)} data-testid={`save-${format}`}>
          {words[format]}
        </Button>
      ))}
      <Button onClick={() => print()}>{words.print}</Button>
      <span role="status">{saved}</span>
    </div>
  );
}
