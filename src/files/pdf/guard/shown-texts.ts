import { commonBox, type Matrix, onPage, type PageBox, type PagePoint, widened } from './boxes.ts';

/** What is drawn over texts of a page: some are covered, or a line goes through one. */
export type TextReport =
  | { readonly type: 'parser-covered' }
  | { readonly type: 'parser-struck'; readonly line: number };

/** Where the next text begins. */
interface TextPlace {
  readonly ctm: Matrix;
  readonly textMatrix: Matrix;
  readonly fontSize: number;
}

/** A page whose texts are followed. */
export interface FollowedPage {
  report?: (report: TextReport) => void;
  /** Texts that were covered when the page was read before. */
  covered?: CoveredTexts;
}

/** Texts of a page, in the order that they are shown, and what is drawn over them. */
export interface ShownTexts {
  /** Begins a text. @returns whether it is known to be covered by what is drawn after it, from when the page was read before */
  begin(place: TextPlace): boolean;
  /** Ends the text that is open where the next one would begin. */
  end(place: TextPlace): void;
  /** To be called for each area that nothing shines through. */
  cover(by: Cover, box: PageBox): void;
  /** To be called for each thin area and each line. */
  rule(box: PageBox): void;
}

/** What hides a text that was shown before. A picture does on a page that is no scan: there, recognised text is often below it. */
type Cover = 'area' | 'picture';

/** Numbers of texts that are covered, as they are known after a page was read once. */
type CoveredTexts = Readonly<Record<Cover, Set<number>>>;

interface Text {
  readonly number: number;
  /** From the baseline to the top of its digits. */
  readonly box: PageBox;
  /** Of its letters, in units of the page; 0 where its line is not level. */
  readonly size: number;
}

interface Rule {
  readonly box: PageBox;
  /** Width of the texts that it goes through. */
  through: number;
  /** Whether it has been found to strike a text. */
  isStrike: boolean;
}

/** Height of digits, in sizes of the letters. */
const DIGITS = 0.7;

/** Where a line strikes a text, from its baseline, and how thick it may be, in sizes of the letters; underlines are below, lines of tables around. */
const [LOWEST, HIGHEST, THICKEST] = [0.2, 0.45, 0.15];

/** Share of a line that goes through letters; a line across the page goes on beside them. Its least length, in their sizes. */
const [MIN_SHARE, MIN_LENGTH] = [0.8, 1];

/** Most comparisons of a text with a line or an area, for each page. */
const MAX_COMPARED = 5_000_000;

/**
 * Follows the texts of a page, and reports those that something hides later and lines that strike them.
 *
 * @param isScan  whether text below its pictures is what was recognised in them
 */
export function followTexts(page: FollowedPage, isScan: boolean): ShownTexts {
  const texts: Text[] = [];
  const rules: Rule[] = [];
  const covered = (page.covered ??= { area: new Set(), picture: new Set() });
  let count = 0;
  let open: { readonly number: number; readonly from: PagePoint } | null = null;
  let compared = 0;
  const mayCompare = (others: readonly unknown[]) => (compared += others.length) < MAX_COMPARED;
  const strike = (rule: Rule, text: Text) => {
    const [left, bottom, right, top] = rule.box;
    const height = (bottom + top) / 2 - text.box[1];
    const isAcross =
      text.size > 0 &&
      height >= LOWEST * text.size &&
      height <= HIGHEST * text.size &&
      top - bottom <= THICKEST * text.size;
    if (rule.isStrike || !isAcross || right - left < MIN_LENGTH * text.size) return;
    const [from, , to] = commonBox(rule.box, text.box);
    rule.through += Math.max(0, to - from);
    rule.isStrike = rule.through >= MIN_SHARE * (right - left);
    if (rule.isStrike) page.report?.({ type: 'parser-struck', line: rules.indexOf(rule) });
  };
  return {
    begin(place) {
      open = { number: count++, from: originOf(place) };
      return covered.area.has(open.number) || (!isScan && covered.picture.has(open.number));
    },
    end(place) {
      if (!open) return;
      const [x, y] = open.from;
      const [toX, toY] = originOf(place);
      const [upX, upY] = digitsOf(place);
      const box: PageBox = [
        Math.min(x, toX) + Math.min(0, upX),
        Math.min(y, toY) + Math.min(0, upY),
        Math.max(x, toX) + Math.max(0, upX),
        Math.max(y, toY) + Math.max(0, upY),
      ];
      const text = { number: open.number, box, size: y === toY && upX === 0 ? Math.abs(upY) / DIGITS : 0 };
      open = null;
      texts.push(text);
      if (mayCompare(rules)) for (const rule of rules) strike(rule, text);
    },
    cover(by, box) {
      if (!mayCompare(texts)) return;
      const found = texts.filter(({ number, box: own }) => !covered[by].has(number) && isWithin(own, box));
      for (const { number } of found) covered[by].add(number);
      if (found.length > 0) page.report?.({ type: 'parser-covered' });
    },
    rule(box) {
      const rule = { box, through: 0, isStrike: false };
      rules.push(rule);
      if (mayCompare(texts)) for (const text of texts) strike(rule, text);
    },
  };
}

/** Where the next letter comes, on the baseline. */
function originOf({ ctm, textMatrix }: TextPlace): PagePoint {
  return onPage(ctm, textMatrix[4], textMatrix[5]);
}

/** From the baseline to the top of digits. */
function digitsOf({ ctm, textMatrix, fontSize }: TextPlace): PagePoint {
  const [x, y] = [textMatrix[2] * DIGITS * fontSize, textMatrix[3] * DIGITS * fontSize];
  return [ctm[0] * x + ctm[2] * y, ctm[1] * x + ctm[3] * y];
}

/** Most that a text may show beside what covers it, in units of the page. */
const EDGE = 0.5;

function isWithin([left, bottom, right, top]: PageBox, around: PageBox): boolean {
  const [from, low, to, high] = widened(around, EDGE);
  return left >= from && bottom >= low && right <= to && top <= high;
}
