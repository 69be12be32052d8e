import { wordsFor } from '../words/language.ts';

/** Scores, probabilities, and sections of prompt and picture, as names and inside sentences. */
export const sectionsWords = wordsFor('explain/sections', {
  pictureAlt: (name: string) => `In the prompt: ${name}`,
  nats: (score: string) => `${score} nats`,
  estimate: (score: string, margin: string) => `about ${score} ± ${margin}`,
  noScore: 'no score',
  weak: (count: string, limit: string) => `${count} more within ${limit}`,
  times: { about: (times: string) => `about ${times} times`, many: 'more than a million times' },
  percent: {
    share: (share: string) => `${share} %`,
    least: (share: string) => `less than ${share} %`,
    most: (share: string) => `over ${share} %`,
  },
  target: 'the target',
  picture: 'the picture',
  tile: (row: number, column: number) => `row ${row}, column ${column}`,
  name: {
    nth: (name: string, nth: number) => `${name} (${ordinal(nth)})`,
    piece: (name: string, piece: number) => `${name}, part ${piece}`,
  },
  /** Inside a sentence. */
  phrase: {
    text: (name: string) => `‘${name}’`,
    nth: (name: string, nth: number) => `the ${ordinal(nth)} ‘${name}’`,
    piece: (phrase: string, piece: number) => `part ${piece} of ${phrase}`,
    tile: (row: number, column: number) => `the tile in row ${row}, column ${column}`,
  },
  place: {
    tile: (width: string, height: string, left: string, top: string) =>
      `${width} × ${height} of the picture, ${left} from its left, ${top} from its top`,
    one: (at: number) => `character ${at}`,
    many: (first: number, last: number) => `characters ${first} to ${last}`,
    oneOfTarget: (at: number) => `in the target, character ${at}`,
    manyOfTarget: (first: number, last: number) => `in the target, characters ${first} to ${last}`,
  },
  /** What a factor on the attention does to a section; without one it is deleted. */
  factors: { deleted: 'deleted', none: 'ignored', less: 'dimmed', same: 'unchanged', more: 'strengthened' },
});

/** Such as `2nd`. */
function ordinal(nth: number): string {
  const endings = nth % 100 > 10 && nth % 100 < 14 ? [] : ['th', 'st', 'nd', 'rd'];
  return `${nth}${endings[nth % 10] ?? 'th'}`;
}
