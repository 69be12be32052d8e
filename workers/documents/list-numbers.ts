import { attributeOf, childOf, elementsIn, type XmlElement } from './xml.ts';

/** A list, and how its levels count. */
interface List {
  /** Its id; lists of one definition count on together. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Numbers from which this list begins again, by level. */
  readonly starts: ReadonlyMap<number, number>;
}

interface Level {
  readonly format: string;
  /** Such as `%1.%2)`: numbers of levels, from 1. */
  readonly pattern: string;
  readonly start: number;
  /** A paragraph of a level below this one begins it again. */
  readonly restart: number;
  /** All numbers are decimal. */
  readonly isLegal: boolean;
  /** The paragraph style that has this level. */
  readonly style: string | undefined;
}

/** A longer number is not one of a clause; a file might repeat it for each of its paragraphs. */
const MAX_LENGTH = 60;

/** Most styles that are based on one another; Word's own are four. */
const MAX_BASED = 50;

/**
 * Counts the paragraphs of numbered lists as Word does when it shows them.
 *
 * @param numbering  root of the part with the lists
 * @param styles     root of the part with the styles
 * @param onUnknown  called for a number that is written in a way that is not known here, such as in words
 * @returns          to be called once for each paragraph, in order: its number, such as `2.1` or `(iv)`; '' for one without, or
 *                   with a bullet
 * @source ECMA-376 part 1, 17.9 and 17.3.1.19
 */
export function createListNumbers(
  numbering: XmlElement,
  styles: XmlElement,
  onUnknown: () => void,
): (paragraph: XmlElement) => string {
  const all = elementsIn(styles, 'w:style');
  const usual = all.filter(({ attributes }) => attributes['w:type'] === 'paragraph' && attributes['w:default']);
  const byId = new Map([
    ...usual.map((style) => ['', style] as const),
    ...all.map((style) => [style.attributes['w:styleId'] ?? '', style] as const),
  ]);
  const lists = listsOf(numbering, byId);
  const counts = new Map<string, Map<number, number>>();
  const begun = new Set<string>();
  return (paragraph) => {
    const { id = '', at = 0 } = placeOf(childOf(paragraph, 'w:pPr'), lists, byId);
    const list = lists.get(id);
    const level = list?.levels.get(at);
    if (!list || !level) return '';
    const counted = counts.get(list.definition) ?? new Map<number, number>();
    const [before, restart] = [counted.get(at), begun.has(`${id} ${at}`) ? undefined : list.starts.get(at)];
    counted.set(at, restart ?? (before === undefined ? level.start : before + 1));
    for (const below of counted.keys())
      if (below > at && at < (list.levels.get(below)?.restart ?? below)) counted.delete(below);
    counts.set(list.definition, counted);
    begun.add(`${id} ${at}`);
    const number = numberOf(list.levels, level, counted);
    if (number === null) onUnknown();
    return number ?? '';
  };
}

/** A list and a level of it, as far as a paragraph or a style says. */
interface ListPlace {
  readonly id?: string | undefined;
  readonly at?: number | undefined;
}

type Styles = ReadonlyMap<string, XmlElement>;

/** The place of a paragraph; one that is deleted, moved away or hidden has none. */
function placeOf(properties: XmlElement | undefined, lists: ReadonlyMap<string, List>, styles: Styles): ListPlace {
  const mark = properties && childOf(properties, 'w:rPr');
  if (mark && ['w:del', 'w:moveFrom', 'w:vanish'].some((name) => childOf(mark, name))) return {};
  const own = placeIn(properties);
  if (own.id !== undefined) return own;
  const { id, at, style } = placeInStyle(attributeOf(properties, 'w:pStyle') ?? '', styles);
  const linked = [...(lists.get(id ?? '')?.levels ?? [])].find(([, level]) => level.style === style);
  return { id, at: own.at ?? linked?.[0] ?? at };
}

function placeIn(properties: XmlElement | undefined): ListPlace {
  const given = properties && childOf(properties, 'w:numPr');
  const level = attributeOf(given, 'w:ilvl');
  return { id: attributeOf(given, 'w:numId'), at: level === undefined ? undefined : Number(level) };
}

/** The place that a style gives its paragraphs, or one that it is based on, with the id of that one. */
function placeInStyle(name: string, styles: Styles, depth = 0): ListPlace & { readonly style?: string | undefined } {
  const style = styles.get(name);
  if (!style || depth > MAX_BASED) return {};
  const own = placeIn(childOf(style, 'w:pPr'));
  if (own.id === undefined) return placeInStyle(attributeOf(style, 'w:basedOn') ?? '', styles, depth + 1);
  return { ...own, style: style.attributes['w:styleId'] };
}

/** The lists of a file, by their ids. */
function listsOf(numbering: XmlElement, styles: Styles): Map<string, List> {
  const given = new Map(elementsIn(numbering, 'w:num').map((list) => [list.attributes['w:numId'] ?? '', list]));
  const definitions = new Map(
    elementsIn(numbering, 'w:abstractNum').map((one) => [
      one.attributes['w:abstractNumId'] ?? '',
      { levels: levelsIn(one), link: attributeOf(one, 'w:numStyleLink') },
    ]),
  );
  const definitionOf = (list: XmlElement | undefined, mayLink = true): string => {
    const id = attributeOf(list, 'w:abstractNumId') ?? '';
    const link = definitions.get(id)?.link;
    if (link === undefined || !mayLink) return id;
    return definitionOf(given.get(placeInStyle(link, styles).id ?? ''), false);
  };
  return new Map(
    [...given].map(([id, list]) => {
      const definition = definitionOf(list);
      const overrides = elementsIn(list, 'w:lvlOverride');
      const starts = overrides.flatMap((one) => {
        const start = attributeOf(one, 'w:startOverride');
        return start === undefined ? [] : [[Number(one.attributes['w:ilvl']), Number(start)] as const];
      });
      const levels = [...(definitions.get(definition)?.levels ?? []), ...overrides.flatMap(levelsIn)];
      return [id, { definition, levels: new Map(levels), starts: new Map(starts) }];
    }),
  );
}

/** @source ECMA-376 part 1, 17.9.25: a start that is not given is 0 */
function levelsIn(part: XmlElement): (readonly [number, Level])[] {
  return elementsIn(part, 'w:lvl').map((level) => {
    const at = Number(level.attributes['w:ilvl'] ?? 0);
    const known = {
      format: elementsIn(level, 'w:numFmt')[0]?.attributes['w:val'] ?? 'decimal',
      pattern: attributeOf(level, 'w:lvlText') ?? '',
      start: Number(attributeOf(level, 'w:start') ?? 0),
      restart: Number(attributeOf(level, 'w:lvlRestart') ?? at),
      isLegal: childOf(level, 'w:isLgl') !== undefined,
      style: attributeOf(level, 'w:pStyle'),
    };
    return [at, known];
  });
}

/** The text of a number; null where it is not known. */
function numberOf(levels: List['levels'], own: Level, counted: ReadonlyMap<number, number>): string | null {
  const { format, pattern, isLegal } = own;
  if (format === 'bullet') return '';
  const parts = [...pattern.matchAll(/%([1-9])|[^%]+|%/g)].map(([text, digit]) => {
    const level = digit === undefined ? undefined : levels.get(Number(digit) - 1);
    if (!level) return text;
    const number = counted.get(Number(digit) - 1) ?? level.start;
    if (!Number.isSafeInteger(number)) return null;
    return FORMATS[isLegal ? 'decimal' : level.format]?.(number) ?? null;
  });
  const text = parts.join('').trim();
  return parts.includes(null) || text.length > MAX_LENGTH ? null : text;
}

/** How a number is written; null where it cannot be. @source ECMA-376 part 1, 17.18.59 */
const FORMATS: Readonly<Record<string, (number: number) => string | null>> = {
  none: () => '',
  decimal: String,
  decimalZero: (number) => String(number).padStart(2, '0'),
  lowerLetter: letters,
  upperLetter: (number) => letters(number)?.toUpperCase() ?? null,
  lowerRoman: roman,
  upperRoman: (number) => roman(number)?.toUpperCase() ?? null,
};

/** a … z, then aa, bb and so on. */
function letters(number: number): string | null {
  const times = Math.ceil(number / 26);
  return times >= 1 && times <= MAX_LENGTH ? String.fromCharCode(97 + ((number - 1) % 26)).repeat(times) : null;
}

const ROMAN = { m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 };

function roman(number: number): string | null {
  if (number < 1 || number >= 4000) return null;
  let rest = number;
  return Object.entries(ROMAN)
    .map(([letter, value]) => {
      const times = Math.floor(rest / value);
      rest %= value;
      return letter.repeat(times);
    })
    .join('');
}
