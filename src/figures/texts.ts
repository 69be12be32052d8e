import { sectionsWords } from '../explanations/words.en.ts';
import { exactText, fixedText, numberText, visibleText } from '../words/language.ts';
import { graphemesOf } from '../explanations/segmentation.ts';
import { gridPlace, type Section, type Tile, WEAK_NATS } from '../explanations/influence.ts';

/** A score with its sign and two decimals, such as `+7.83`. */
export function natsText(score: number): string {
  return fixedText(score, 2, 'exceptZero');
}

/** A score, and the margin of an estimate. @param score  null where there is none */
export function scoreText(score: number | null, margin: number | null = null): string {
  const words = sectionsWords();
  if (score === null) return words.noScore;
  return margin === null ? natsText(score) : words.estimate(natsText(score), fixedText(margin, 2));
}

/** A written score with its unit. */
export function inNats(score: string): string {
  return sectionsWords().nats(score);
}

/** The line for `count` sections whose scores are next to zero. */
export function weakText(count: number): string {
  return sectionsWords().weak(numberText(count), numberText(WEAK_NATS));
}

/**
 * How many times less likely the target becomes when its cross entropy rises by `nats`, such as `about 2,500 times`; null
 * below 1.2 times, where the words would exaggerate.
 */
export function timesText(nats: number): string | null {
  const words = sectionsWords().times;
  const times = Math.exp(Math.abs(nats));
  if (times < 1.2) return null;
  if (times > 1e6) return words.many;
  return words.about(times < 10 ? fixedText(times, 1) : numberText(Number(times.toPrecision(2))));
}

/** A smaller percentage is shown as less than this. */
const MIN_PERCENT = 0.0001;
/** A larger percentage is shown as more than this. */
const MAX_PERCENT = 99.5;

/** A probability in percent: whole numbers from ten, two digits below, such as `0.035 %`; bounds near 0 and 100. */
export function percentText(probability: number): string {
  const words = sectionsWords().percent;
  const share = probability * 100;
  if (share < MIN_PERCENT) return words.least(exactText(MIN_PERCENT));
  if (share > MAX_PERCENT) return words.most(numberText(Math.floor(MAX_PERCENT)));
  return words.share(exactText(share >= 10 ? Math.round(share) : Number(share.toPrecision(2))));
}

/** A section's text as a name inside a sentence: without outer white space, cut after `limit` characters. */
export function nameOf(text: string, limit = 32): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (name === '') return visibleText(text);
  const characters = graphemesOf(name);
  return bidiIsolated(characters.length <= limit ? name : `${characters.slice(0, limit - 1).join('')}…`);
}

/** A section as a name of about `limit` characters; repeated words have their number. */
export function sectionName(section: Section, limit = 32): string {
  if (section.part === 'picture') return tileName(section);
  const { name: words } = sectionsWords();
  const { text, nth, piece } = section;
  const base = nameOf(text, limit);
  const name = nth === null ? base : words.nth(base, nth);
  return piece === undefined ? name : words.piece(name, piece);
}

/** The same inside a sentence: words of the prompt in quotation marks, a place of the picture without. */
export function sectionPhrase(section: Section, limit = 32): string {
  const { phrase: words, picture } = sectionsWords();
  if (section.part === 'picture') {
    const place = gridPlace(section);
    return place ? words.tile(place.row, place.column) : picture;
  }
  const { text, nth, piece } = section;
  const name = nameOf(text, limit);
  const phrase = nth === null ? words.text(name) : words.nth(name, nth);
  return piece === undefined ? phrase : words.piece(phrase, piece);
}

/** The name of a text in quotation marks. */
export function quoted(text: string, limit = 32): string {
  return sectionsWords().phrase.text(nameOf(text, limit));
}

/** A target in quotation marks, or `the target` if it has no visible characters. */
export function quotedTarget(text: string): string {
  return nameOf(text) === '' ? sectionsWords().target : quoted(text);
}

/** Name of a tile: `row 3, column 5`; a picture with one tile is `the picture`. */
export function tileName(tile: Pick<Tile, 'rect'>): string {
  const place = gridPlace(tile);
  return place ? sectionsWords().tile(place.row, place.column) : sectionsWords().picture;
}

/** Where a section lies: characters of its text, counted from 0, or shares of the picture's sides. */
export function placeText(section: Section): string {
  const { place: words } = sectionsWords();
  if (section.part === 'picture') {
    const { left, top, width, height } = section.rect;
    return words.tile(sideText(width), sideText(height), sideText(left), sideText(top));
  }
  const { part, start, length } = section;
  const last = start + length - 1;
  if (part === 'target') return length === 1 ? words.oneOfTarget(start) : words.manyOfTarget(start, last);
  return length === 1 ? words.one(start) : words.many(start, last);
}

function sideText(share: number): string {
  return sectionsWords().percent.share(exactText(Math.round(share * 1000) / 10));
}

/** Stops of the factor slider; fine where attention almost vanishes, coarse above 1. */
export const FACTORS: readonly number[] = [
  0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2,
];

/** The effect of a control factor on a section. */
export function factorText(factor: number): string {
  return sectionsWords().factors[changeOf(factor)];
}

/** The change of a section by a factor on the attention to it; null: it is deleted. */
export function changeOf(factor: number | null): 'deleted' | 'none' | 'less' | 'same' | 'more' {
  if (factor === null) return 'deleted';
  if (factor === 0) return 'none';
  if (factor < 1) return 'less';
  return factor === 1 ? 'same' : 'more';
}

/** A sentence that may begin with a phrase, such as `the 2nd ‘in’`. */
export function capitalised(sentence: string): string {
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
}

/** A factor in numbers and words, such as `× 0.5: dimmed`. */
export function strengthText(factor: number): string {
  return `${timesFactor(factor)}: ${factorText(factor)}`;
}

/** Such as `× 0.5`. */
export function timesFactor(factor: number): string {
  return `× ${exactText(factor)}`;
}

/** Letters that are written from right to left. */
const RTL =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;

/** Whether any letter of a text is written from right to left. */
export function hasRtl(text: string): boolean {
  return RTL.test(text);
}

/**
 * A piece of another text as part of a sentence. Text from right to left is isolated by invisible marks: without them it
 * would draw the words and marks beside it into its own direction, so that `‘א’, ‘ב’` reads in the wrong order.
 *
 * @source Unicode Standard Annex #9, first strong isolate and pop directional isolate
 */
export function bidiIsolated(text: string): string {
  return hasRtl(text) ? `\u2068${text}\u2069` : text;
}
