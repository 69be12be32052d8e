import { Parser } from 'htmlparser2';

/** A block of HTML: its text, or the cells of a table. */
export type HtmlPiece = { readonly text: string } | { readonly rows: readonly (readonly string[])[] };

/** Elements that stand in a line; all others begin a block. @source HTML Living Standard, 4.5 and 4.7 */
const INLINE = new Set(
  (
    'a abbr acronym audio b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark meter noscript output ' +
    'picture progress q rp rt ruby s samp select small source span strike strong sub sup svg time track tt u var video wbr'
  ).split(' '),
);

/** Elements whose text is not shown. */
const NOT_SHOWN = new Set(['script', 'style', 'template', 'head', 'title']);

type Attributes = Readonly<Partial<Record<string, string>>>;

/** What an element shows that has no content: a line end, the description of a picture, a box, a value that is filled in. */
function shownBy(name: string, { alt = '', type = 'text', value = '', checked }: Attributes): string {
  if (name === 'br') return '\n';
  if (name === 'img') return alt;
  if (name !== 'input' || type === 'hidden') return '';
  return type === 'checkbox' || type === 'radio' ? `${checked === undefined ? '☐' : '☒'} ` : value;
}

/** Styles that no reader sees: not drawn, smaller than two points, or in white without a colour behind it. */
const UNSEEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*(?:0|1(?:\.\d+)?(?:px|pt))(?![.\w])/i;
const WHITE = /(?:^|[;\s])color\s*:\s*(?:white|transparent|#f{3}(?:f{3})?)\b/i;

function isHidden({ hidden, style = '' }: Attributes): boolean {
  return hidden !== undefined || UNSEEN.test(style) || (WHITE.test(style) && !/background/i.test(style));
}

/** The integer that an attribute begins with. */
function integerOf(text: string | undefined, otherwise: number): number {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) ? otherwise : number;
}

/** Counts the entries of lists; those of a list with letters have no number here. @source HTML Living Standard, 4.4.5 and 4.4.8 */
function countEntries() {
  const next: number[] = []; // of each open list; NaN for one without numbers
  return {
    /** What an element begins with: the number of an entry, or nothing. */
    open(name: string, { start = '1', type = '1', value }: Attributes): string {
      if (name === 'ol' || name === 'ul') next.push(name === 'ol' && type === '1' ? integerOf(start, 1) : NaN);
      const following = next.at(-1) ?? NaN;
      if (name !== 'li' || Number.isNaN(following)) return '';
      const number = integerOf(value, following);
      next[next.length - 1] = number + 1;
      return `${number}. `;
    },
    close(name: string): void {
      if (name === 'ol' || name === 'ul') next.pop();
    },
  };
}

/** The text of a tag within a line. */
export function tagText(tag: string): string {
  let text = '';
  const onopentag = (name: string, attributes: Attributes) => {
    text = INLINE.has(name) ? shownBy(name, attributes) : ' ';
  };
  new Parser({ onopentag }).end(tag);
  return text;
}

/** Follows tags that are spread over several pieces of a text. @returns takes the next piece: whether what comes after it is shown */
export function createTagFollower(): (html: string) => boolean {
  const shown = [true];
  const parser = new Parser({
    onopentag(_name, attributes) {
      checkDepth(shown);
      shown.push(shown.at(-1) === true && !isHidden(attributes));
    },
    onclosetag: () => void shown.pop(),
  });
  return (html) => {
    parser.write(html);
    return shown.at(-1) !== false;
  };
}

/** The parser takes time for the square of the depth. */
const MAX_DEPTH = 1_000;

/** @throws {RangeError} for elements that are nested too deeply */
function checkDepth({ length }: readonly boolean[]): void {
  if (length > MAX_DEPTH) throw new RangeError(`expected elements nested ${MAX_DEPTH} deep at most, got more`);
}

/**
 * What HTML shows as text, block by block; white space as a browser shows it. Pictures are their description.
 *
 * @param onHidden  called for each element that is not shown because it says so
 * @throws {RangeError} for elements that are nested too deeply
 */
export function htmlPieces(html: string, onHidden: () => void): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let line = '';
  let rows: string[][] = [];
  const shown = [true]; // whether what is in each open element is shown
  let preformatted = 0; // open elements that keep line ends
  const entries = countEntries();
  const take = () => {
    const text = line.replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n').trim();
    line = '';
    return text;
  };
  const endBlock = () => {
    const text = take();
    if (text !== '') pieces.push({ text });
  };
  const endBlockInCell = () => {
    if (line !== '' && !line.endsWith(' ')) line += ' ';
  };
  const endTable = () => {
    const filled = rows.filter((cells) => cells.some((cell) => cell !== ''));
    if (filled.length > 0) pieces.push({ rows: filled });
    rows = [];
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      const isShown = shown.at(-1) !== false;
      if (isShown && isHidden(attributes)) onHidden();
      checkDepth(shown);
      shown.push(isShown && !NOT_SHOWN.has(name) && !isHidden(attributes));
      if (!shown.at(-1)) return;
      if (name === 'pre') preformatted++;
      line += shownBy(name, attributes);
      if (!INLINE.has(name) && rows.length > 0) endBlockInCell();
      if (name === 'tr') rows.push([]);
      else if (!INLINE.has(name) && rows.length === 0) endBlock();
      line += entries.open(name, attributes);
    },
    ontext(text) {
      if (shown.at(-1)) line += preformatted > 0 ? text : text.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (!shown.pop()) return;
      entries.close(name);
      if (name === 'pre') preformatted--;
      if ((name === 'td' || name === 'th') && rows.length > 0) rows.at(-1)?.push(take().replaceAll('\n', ' '));
      else if (name === 'table') endTable();
      else if (!INLINE.has(name) && rows.length === 0) endBlock();
      else if (!INLINE.has(name)) endBlockInCell();
    },
  });
  parser.end(html);
  endTable();
  endBlock();
  return pieces;
}
