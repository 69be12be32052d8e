import { useState } from 'react';
import type { Pooling } from '../../../contract/embed.ts';
import type { SimilarityFound } from '../../../state/inside/similarity.ts';
import { insideWords } from '../../../words/en/inside.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { useStores } from '../../use-stores.ts';
import styles from '../inside-page.module.css';

/** See `SaveChart`. */
interface SaveChartProps {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
}

const FORMATS = ['svg', 'png', 'csv'] as const;

/** Saves the chart as a drawing, or all its numbers. What makes the files loads with the first press. */
export function SaveChart({ found, pooling }: SaveChartProps) {
  const { inside } = useStores();
  const [hasFailed, setHasFailed] = useState(false);
  const words = insideWords().save;
  const save = async (format: (typeof FORMATS)[number]) => {
    try {
      const { chartFile } = await import('./chart-files.ts');
      const { model } = inside.getState().source;
      const { name, content } = await chartFile(format, { found, pooling, model });
      download(name, content);
      setHasFailed(false);
    } catch {
      setHasFailed(true);
    }
  };
  return (
    <div className={styles.row} role="group" aria-label={words.label}>
      {FORMATS.map((format) => (
        <Button key={format} look="plain" onClick={() => void save(format)}>
          {words[format]}
        </Button>
      ))}
      <span role="status" className={styles.note}>
        {hasFailed && words.failed}
      </span>
    </div>
  );
}
