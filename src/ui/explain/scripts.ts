import { graphemesOf } from '../../state/explain/text/graphemes.ts';

/** A letter of a script that runs from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;

/**
 * A piece of another text as part of a sentence. Text from right to left is set apart by invisible marks: without them it
 * would take the words and marks beside it into its own direction, so that `‘א’, ‘ב’` reads in the wrong order.
 *
 * @source Unicode Standard Annex #9, first strong isolate and pop directional isolate
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Characters that are about twice as wide as a Latin letter. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

/** About how many Latin letters a text is as wide as. */
export function widthInLetters(text: string): number {
  return graphemesOf(text).reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}
