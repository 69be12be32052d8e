import type { TextRun } from './line-parts.ts';

/** Letters of scripts from left to right, and of those from right to left. */
const [LEFT_LETTER, RIGHT_LETTER] = [
  /[^\P{L}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u,
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/,
];

/** Levels of text: that of a paragraph from left to right, of one from right to left, and of the former within the latter. */
type Level = 0 | 1 | 2;

/** What a run says about its direction: letters of a script, a number, or neither. */
type Kind = 'left' | 'right' | 'number' | 'neutral';

/**
 * The runs of a line in reading order, whatever their order in the file: most files draw a line from its left end, so that its words from
 * right to left come last first. pdf.js orders the letters of each run.
 *
 * @returns  also whether the line goes from right to left
 * @source Unicode Standard Annex 9, rules N1, N2 and L2, for whole runs
 */
export function readingOrder(runs: readonly TextRun[]): {
  readonly ordered: TextRun[];
  readonly isRightToLeft: boolean;
} {
  const seen = runs.toSorted((a, b) => a.left - b.left).map((run) => ({ run, kind: kindOf(run) }));
  const lengthOf = (kind: Kind) => seen.reduce((sum, one) => sum + (one.kind === kind ? one.run.text.length : 0), 0);
  const isRightToLeft = lengthOf('right') > lengthOf('left');
  const levels = levelsOf(
    seen.map(({ kind }) => kind),
    isRightToLeft ? 1 : 0,
  );
  const within = reversed([...seen.keys()], (at) => levels[at] === 2);
  const order = reversed(within, (at) => levels[at] !== 0);
  return { ordered: order.flatMap((at) => seen[at]?.run ?? []), isRightToLeft };
}

function kindOf({ text }: TextRun): Kind {
  if (RIGHT_LETTER.test(text)) return 'right';
  if (LEFT_LETTER.test(text)) return 'left';
  return /\p{N}/u.test(text) ? 'number' : 'neutral';
}

/** Numbers among words from right to left, and what is between these, belong to them. */
function levelsOf(kinds: readonly Kind[], base: 0 | 1): Level[] {
  const before = lastWords(kinds);
  const after = lastWords(kinds.toReversed()).toReversed();
  return kinds.map((kind, at) => {
    const within = base === 1 ? 2 : 0; // of text from left to right
    if (kind === 'right') return 1;
    if (kind === 'left') return within;
    const around = before[at] === after[at] ? before[at] : undefined;
    if (kind === 'number') return around === 'right' ? 2 : within;
    return around === undefined ? base : around === 'right' ? 1 : within;
  });
}

/** Of each place, the kind of the nearest word before it. */
function lastWords(kinds: readonly Kind[]): (Kind | undefined)[] {
  let last: Kind | undefined;
  return kinds.map((kind) => {
    const before = last;
    if (kind === 'left' || kind === 'right') last = kind;
    return before;
  });
}

/** With each sequence of places that is to be reversed. */
function reversed(places: readonly number[], isReversed: (place: number) => boolean): number[] {
  const result: number[] = [];
  let sequence: number[] = [];
  const end = () => {
    for (const place of sequence.toReversed()) result.push(place);
    sequence = [];
  };
  for (const place of places)
    if (isReversed(place)) sequence.push(place);
    else {
      end();
      result.push(place);
    }
  end();
  return result;
}
