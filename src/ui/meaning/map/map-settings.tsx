import { useId } from 'react';
import type { Method } from '../../../state/meaning/map/map-store.ts';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** Numbers of groups to choose from. */
const COUNTS = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20];

/** Which map, its colours, its groups. */
export function MapSettings() {
  const words = meaningMapWords();
  const { map } = useRoom();
  const { method, by, count, group, colouring, colour } = useValueOf(map, (state) => state);
  const columns = Object.keys(useCollected()?.table.columns ?? {});
  return (
    <div className={page.row}>
      <Choice<Method>
        label={words.method}
        options={(['umap', 'pca'] as const).map((value) => ({ value, label: words.methods[value] }))}
        value={method}
        onChoose={(next) => void by(next)}
      />
      {columns.length > 0 && (
        <Menu
          label={words.colour}
          value={colouring ?? ''}
          options={[['', words.byGroup], ...columns.map((name) => [name, name] as const)]}
          onChoose={(name) => colour(name === '' ? null : name)}
        />
      )}
      <Menu
        label={words.groupCount}
        value={String(count ?? '')}
        options={[['', words.automatic], ...COUNTS.map((one) => [String(one), String(one)] as const)]}
        onChoose={(text) => void group(text === '' ? null : Number(text))}
      />
    </div>
  );
}

interface MenuProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Menu({ label, value, options, onChoose }: MenuProps) {
  const id = useId();
  return (
    <span className={styles.menu}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={page.select} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
