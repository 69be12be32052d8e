import { graphemesOf } from '../../explanations/segmentation.ts';
import { type Face, FAMILIES, isRtlParagraph, type Typesetter } from './figure.ts';
import { hasRtl } from '../texts.ts';

type Fragment = ReturnType<Typesetter['lay']>[number]['fragments'][number];

/** Part of one paragraph, and the index of the piece that it comes from. */
export interface ParagraphPart {
  readonly piece: number;
  readonly text: string;
}

/** Pieces of a text, paragraph by paragraph, without the line ends between them. */
export function paragraphsOf(pieces: readonly string[]): ParagraphPart[][] {
  const paragraphs: ParagraphPart[][] = [[]];
  for (const [piece, text] of pieces.entries()) {
    for (const [index, part] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) paragraphs.push([]);
      if (part !== '') paragraphs.at(-1)?.push({ piece, text: part });
    }
  }
  return paragraphs;
}

/** Lays out text in an invisible element of the page. @throws {Error} if no canvas measures text */
export function createPageTypesetter(document: Document): Typesetter {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('expected a canvas that measures text, got none');
  const measured = (text: string, face: Face) => {
    context.font = `${face.weight} ${face.size}px ${FAMILIES[face.family]}`;
    return context.measureText(text);
  };
  return {
    width: (text, face) => measured(text, face).width,
    baseline(face) {
      const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = measured('x', face);
      return (face.leading - ascent - descent) / 2 + ascent;
    },
    lay(pieces, face, width) {
      const space = (text: string) => measured(text, face).width;
      return paragraphsOf(pieces).flatMap((parts) => {
        const isRtl = isRtlParagraph(parts.map(({ text }) => text).join(''));
        const block = blockOf(document, parts, { face, width, isRtl });
        document.body.append(block);
        try {
          return linesOf(block, parts, face.leading).map((one) => ({ isRtl, fragments: trimmed(one, isRtl, space) }));
        } finally {
          block.remove();
        }
      });
    },
  };
}

function blockOf(
  document: Document,
  parts: readonly ParagraphPart[],
  { face, width, isRtl }: { face: Face; width: number; isRtl: boolean },
): HTMLElement {
  const block = document.createElement('div');
  block.ariaHidden = 'true';
  block.dir = isRtl ? 'rtl' : 'ltr';
  Object.assign(block.style, {
    position: 'fixed',
    top: '0',
    left: '0',
    visibility: 'hidden',
    width: `${width}px`,
    font: `${face.weight} ${face.size}px/${face.leading}px ${FAMILIES[face.family]}`,
    letterSpacing: 'normal',
    textAlign: 'start',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  });
  for (const { text } of parts) block.append(Object.assign(document.createElement('span'), { textContent: text }));
  return block;
}

function linesOf(block: HTMLElement, parts: readonly ParagraphPart[], leading: number): Fragment[][] {
  const { top, left: edge, height } = block.getBoundingClientRect();
  const lines: Fragment[][] = Array.from({ length: Math.max(1, Math.round(height / leading)) }, () => []);
  for (const [index, span] of [...block.children].entries()) {
    const node = span.firstChild;
    if (!(node instanceof Text)) continue;
    for (const { middle, from, to, left, right, isRtl } of textRunsOf(node)) {
      const line = Math.min(lines.length - 1, Math.max(0, Math.floor((middle - top) / leading)));
      const text = node.data.slice(from, to);
      const place = { left: left - edge, width: right - left, isRtl: isRtl ?? hasRtl(text) };
      lines[line]?.push({ piece: parts[index]?.piece ?? 0, text, ...place });
    }
  }
  return lines;
}

/** The text in one box: UTF-16 offsets, and pixels of the window. */
interface TextRun {
  readonly from: number;
  to: number;
  left: number;
  right: number;
  /** Of its height. */
  readonly middle: number;
  /** Whether its characters run to the left; undefined for one character, and for a text in one box. */
  isRtl: boolean | undefined;
}

/** A text in one box is one run; one that wraps, or changes its direction, is read character by character. */
function textRunsOf(node: Text): TextRun[] {
  const whole = boxesOf(node, 0, node.length);
  if (whole.length <= 1) return whole.map((box) => textRunOf(box, 0, node.length));
  const runs: TextRun[] = [];
  let from = 0;
  for (const grapheme of graphemesOf(node.data)) {
    const to = from + grapheme.length;
    const box = boxesOf(node, from, to).at(-1); // the first one can be the empty end of the line before
    if (box) extend(runs, textRunOf(box, from, to));
    from = to;
  }
  return runs;
}

function boxesOf(node: Text, from: number, to: number): DOMRect[] {
  const range = node.ownerDocument.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return [...range.getClientRects()];
}

function textRunOf({ left, right, top, height }: DOMRect, from: number, to: number): TextRun {
  return { from, to, left, right, middle: top + height / 2, isRtl: undefined };
}

/** Boxes at a smaller distance are next to each other, pixels. */
const TOUCHING = 0.6;

/** Adds a character to the run before it, if it continues that run in its direction. */
function extend(runs: TextRun[], next: TextRun): void {
  const last = runs.at(-1);
  const isFirst = last?.isRtl === undefined;
  const isRight = last?.isRtl !== true && isNear(last?.right, next.left);
  const isLeft = !isRight && (isFirst || last.isRtl) && isNear(last?.left, next.right);
  if (!last || !isNear(last.middle, next.middle) || !(isLeft || isRight)) {
    runs.push(next);
    return;
  }
  last.isRtl = isLeft === true;
  last.to = next.to;
  last.left = Math.min(last.left, next.left);
  last.right = Math.max(last.right, next.right);
}

function isNear(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.abs(a - b) < TOUCHING;
}

function trimmed(fragments: readonly Fragment[], isRtl: boolean, space: (text: string) => number): Fragment[] {
  const end = fragments.findLastIndex(({ text }) => text.trim() !== '');
  return fragments.slice(0, end + 1).map((fragment, index) => {
    const text = index === end ? fragment.text.trimEnd() : fragment.text;
    const hanging = text === fragment.text ? 0 : Math.min(fragment.width, space(fragment.text.slice(text.length)));
    return { ...fragment, text, left: fragment.left + (isRtl ? hanging : 0), width: fragment.width - hanging };
  });
}
