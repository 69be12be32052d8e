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

/** What HTML shows as text, block by block; white space as a browser shows it. Pictures are their description. */
export function htmlPieces(html: string): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let line = '';
  let rows: string[][] = [];
  let notShown = 0;
  const take = () => {
    const text = line.replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n').trim();
    line = '';
    return text;
  };
  const endBlock = () => {
    const text = take();
    if (text !== '') pieces.push({ text });
  };
  const endTable = () => {
    const filled = rows.filter((cells) => cells.some((cell) => cell !== ''));
    if (filled.length > 0) pieces.push({ rows: filled });
    rows = [];
  };
  const parser = new Parser({
    onopentag(name, { alt }) {
      if (NOT_SHOWN.has(name)) notShown++;
      else if (name === 'br') line += '\n';
      else if (name === 'img') line += alt ?? '';
      else if (name === 'tr') rows.push([]);
      else if (!INLINE.has(name) && rows.length === 0) endBlock();
    },
    ontext(text) {
      if (notShown === 0) line += text.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (NOT_SHOWN.has(name)) notShown--;
      else if ((name === 'td' || name === 'th') && rows.length > 0) rows.at(-1)?.push(take().replaceAll('\n', ' '));
      else if (name === 'table') endTable();
      else if (!INLINE.has(name) && rows.length === 0) endBlock();
      else if (!INLINE.has(name)) line += ' ';
    },
  });
  parser.end(html);
  endTable();
  endBlock();
  return pieces;
}
