import { bytesOf } from './encodings.ts';
import { type FileWithFacts, type PlacedFact, plainWriting, type Writing } from './writing.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A value as programs write it. */
function quoted(value: string, delimiter: string): string {
  const needsQuotes = value.includes(delimiter) || /["\n]|^\s|\s$/.test(value);
  return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Lines above a header, which few files have, and what is reported of them. */
const ABOVE: readonly ((facts: () => string) => readonly string[])[] = [
  () => [],
  (fact) => [fact(), ''],
  (fact) => [`# ${fact()}`, `# ${fact()}`],
  () => [],
];

/**
 * A table as programs export it, with facts above its header, in it, in values of one line and of several, with quotation marks,
 * beyond the last column, and below a quotation mark that is never closed. Delimiter, quotes, lines above, ends of lines and encoding differ.
 */
export function csvFileWithFacts(seed: number, writing: Writing = plainWriting(seed)): FileWithFacts {
  const delimiter = DELIMITERS[seed % DELIMITERS.length] ?? ',';
  const facts: PlacedFact[] = [];
  const take = (place: string, expected: PlacedFact['expected'] = 'read') => {
    const fact = writing.fact();
    facts.push({ place: `${place}, delimiter ${JSON.stringify(delimiter)}`, fact, expected });
    return fact;
  };
  const above = (ABOVE[Math.floor(seed / DELIMITERS.length) % ABOVE.length] ?? ABOVE[0])?.(() =>
    take('above the header', 'metadata'),
  );
  const values = [
    () => [take('value'), '812,50'],
    () => [`${take('value with marks')}. Then, "so"; | it\tsaid`, '1.812,50'],
    () => [`Müller:\n${take('value of two lines')}`, '7'],
    () => [` ${take('value with spaces around')} `, '0,5'],
    () => [take('value beside an empty one'), ''],
    () => ['none', '9', take('value beyond the header')],
  ];
  const rows = [
    ['id', take('name of a column'), 'amount'],
    ...Array.from({ length: 12 }, (_, at) => [String(at), ...(values[at % values.length]?.() ?? [])]),
  ];
  const lines = rows.map((row) => row.map((value) => quoted(value, delimiter)).join(delimiter));
  if (seed % 5 === 0) lines.splice(6, 0, `99${delimiter}"a screen of 5 inches${delimiter}1`);
  const text = [
    ...(seed % 3 === 0 ? [`sep=${delimiter}`] : []),
    ...(above ?? []).map((line) => (line.startsWith('#') ? line : quoted(line, delimiter))),
    ...lines,
  ];
  const name = `export-${seed}.${delimiter === '\t' ? 'tsv' : 'csv'}`;
  return { file: new File([bytesOf(text.join(seed % 2 === 0 ? '\r\n' : '\n'), seed)], name), facts };
}
