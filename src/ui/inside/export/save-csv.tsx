import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';

/** See `SaveCsv`. */
interface SaveCsvProps {
  /** Of the file. */
  readonly name: string;
  readonly label: string;
  readonly csv: () => string;
}

/** Saves the numbers of a table. */
export function SaveCsv({ name, label, csv }: SaveCsvProps) {
  return (
    <div>
      <Button onClick={() => download(name, new Blob([csv()], { type: 'text/csv' }))}>{label}</Button>
    </div>
  );
}
