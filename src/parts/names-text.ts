import { listText, numberText } from '../words/language.ts';
import { partsWords } from './words.en.ts';

/** Names that a text lists: a server may have a thousand models. */
const MAX_NAMES = 3;

/** Names as a list; of a longer one the first three, and how many more there are: `a, b, c and 997 more`. */
export function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return listText(more > 0 ? [...names.slice(0, MAX_NAMES), partsWords().more(numberText(more))] : names);
}
