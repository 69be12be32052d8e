/** Tokens of a prompt with its target. */
export interface Lengthy {
  readonly tokens: number;
}

/** A range of lengths, with the name that a table gives it. */
export interface LengthBand {
  readonly name: string;
  /** Tokens, first that is in and first that is not. */
  readonly from: number;
  readonly below: number;
}

/** Estimates of longer prompts cost a smaller share: lengths are measured apart. */
export const LENGTH_BANDS: readonly LengthBand[] = [
  { name: '150 to 250 tokens', from: 150, below: 250 },
  { name: '250 to 380 tokens', from: 250, below: 380 },
  { name: '380 to 1,000 tokens', from: 380, below: 1001 },
];

/** Whether a prompt is of a band. */
export function isIn({ from, below }: LengthBand, { tokens }: Lengthy): boolean {
  return tokens >= from && tokens < below;
}

/** One prompt of each band in turn, in the given order, so that any number of the first has as many of each; others are left out. */
export function inTurn<Item extends Lengthy>(items: readonly Item[], bands = LENGTH_BANDS): Item[] {
  const own = bands.map((band) => items.filter((item) => isIn(band, item)));
  const longest = Math.max(...own.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => own.flatMap((of) => of[at] ?? [])).flat();
}
