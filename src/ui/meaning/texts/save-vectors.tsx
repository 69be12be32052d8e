import { useState } from 'react';
import { VECTOR_FORMATS, type VectorFormat, vectorFile } from '../../../files/table/vectors.ts';
import { type Collected, joined } from '../../../state/meaning/collection-store.ts';
import { WIDTH } from '../../../state/meaning/embedding.ts';
import { firstOf } from '../../../state/meaning/texts.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { useCollected } from '../use-room.ts';
import styles from './texts-panel.module.css';

/** Saves the texts that are read, with their vectors. */
export function SaveVectors() {
  const words = meaningWords().vectors;
  const collected = useCollected();
  const [format, setFormat] = useState<VectorFormat>('csv');
  const [saved, setSaved] = useState('');
  if (!collected || collected.count === 0) return null;
  const save = async () => {
    setSaved(words.saving);
    const name = `vectors.${format}`;
    download(name, await vectorFile(format, tableOf(collected)));
    setSaved(words.saved(name));
  };
  return (
    <details className={styles.vectors}>
      <summary>{words.title}</summary>
      <p className={styles.note}>{words.about(numberText(WIDTH))}</p>
      <Choice
        label={words.format}
        options={VECTOR_FORMATS.map((value) => ({ value, label: words.formats[value] }))}
        value={format}
        onChoose={setFormat}
      />
      <p className={styles.note}>{words.descriptions[format]}</p>
      <div className={styles.readingRow}>
        <Button onClick={() => void save()}>{words.save(words.formats[format])}</Button>
        <span className={styles.note} role="status">
          {saved}
        </span>
      </div>
    </details>
  );
}

function tableOf({ table, count, vectors, model }: Collected) {
  const { texts, columns } = firstOf(table, count);
  return { texts, columns, vectors: joined(vectors), width: WIDTH, model };
}
