import { type ReactNode, useId, useState } from 'react';
import { meaningWords } from './words.en.ts';
import { csvText } from '../../files/table/csv-text.ts';
import { Button, saveFile } from '../../parts/buttons.tsx';
import field from '../../parts/fields/field-layout.module.css';
import { numberText } from '../../words/language.ts';
import page from './meaning-page.module.css';

/** A share as a percentage without decimals, without the sign. */
export function wholePercent(share: number): string {
  return numberText(100 * share, { maximumFractionDigits: 0 });
}

/** The message of a failed computation; nothing if there is none. */
export function WorkProblem({ problem }: { readonly problem: string | null }) {
  if (!problem) return null;
  return (
    <p className={page.wrong} role="alert">
      {meaningWords().failed(problem)}
    </p>
  );
}

/** The first items of a list, and a button that shows `step` more, or null. */
export function useFirst<Item>(
  items: readonly Item[],
  step: number,
  labelOf: (count: number) => string,
): readonly [first: readonly Item[], more: ReactNode] {
  const [shown, setShown] = useState(step);
  const rest = Math.min(step, items.length - shown);
  const more = rest > 0 ? <Button onClick={() => setShown(shown + step)}>{labelOf(rest)}</Button> : null;
  return [items.slice(0, shown), more];
}

/** A labelled menu; `options` are values with their texts. */
export function Menu({
  label,
  options,
  value,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className={field.row}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={page.select} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}

/** A button that saves rows as CSV. */
export function SaveRows({
  name,
  rows,
  children,
  id,
}: {
  readonly name: string;
  readonly rows: () => readonly (readonly (string | number)[])[];
  readonly children: ReactNode;
  readonly id?: string;
}) {
  const save = () => saveFile(`${name}.csv`, new Blob([csvText(rows())], { type: 'text/csv' }));
  return (
    <Button id={id} look="quiet" onClick={save}>
      {children}
    </Button>
  );
}
