import type { runningText, ScoreView, TextSection } from '../../explanations/influence.ts';
import { visibleText } from '../../words/language.ts';
import { arrange, create, setAttributes } from './drawn-element.ts';
import { markScore } from './linked-element.ts';
import { SectionGroup } from './section-group.ts';

type Piece = ReturnType<typeof runningText>[number];

/** A text of more pieces is drawn in blocks, in several tasks. */
const WHOLE_PIECES = 600;
/** Pieces of a block: it ends with the next line end, or with the sentence that passes the second number. */
const BLOCK_PIECES = [60, 300] as const;
/** Longest time for which blocks are filled in one task, milliseconds. */
const TASK_MS = 12;

/** Pieces in one element; those that are not drawn yet are plain text in it. */
interface Block {
  readonly element: HTMLElement;
  readonly pieces: readonly Piece[];
}

/** The sections of a running text as buttons: the first ones at once, those of a long text block by block in later tasks. */
export class TextMap extends SectionGroup {
  #pieces: readonly Piece[] = [];
  #blocks: readonly Block[] = [];
  /** Elements of blocks, of this text and of those before. */
  readonly #areas: HTMLElement[] = [];
  #filled = 0;
  #mark = { view: 'whole' as ScoreView, largest: 0 };
  #task: ReturnType<typeof setTimeout> | undefined;
  /** Told of each section that is drawn in a later task. */
  onFilled: () => void = () => undefined;

  /** @param largest  score on the scale, nats */
  draw(pieces: readonly Piece[], view: ScoreView, largest: number): void {
    this.#mark = { view, largest };
    if (pieces !== this.#pieces) this.#divide(pieces);
    else for (const { pieces: drawn } of this.#blocks.slice(0, this.#filled)) this.#markAll(drawn);
    this.#fillOn();
  }

  /** Blocks that were filled are so again. */
  #divide(pieces: readonly Piece[]): void {
    this.#pieces = pieces;
    this.keep(pieces.flatMap(({ section }) => section?.id ?? []));
    const parts = pieces.length > WHOLE_PIECES ? blocksOf(pieces) : [];
    while (this.#areas.length < parts.length) this.#areas.push(create('div', { class: 'block' }));
    const areas = this.#areas.slice(0, parts.length);
    if (parts.length > 0) arrange(this.element, areas);
    this.#blocks =
      parts.length > 0
        ? parts.map((part, at) => ({ element: areas[at] ?? this.element, pieces: part }))
        : [{ element: this.element, pieces }];
    const count = Math.max(1, Math.min(this.#filled, this.#blocks.length));
    this.#filled = 0;
    for (const block of this.#blocks.slice(count))
      block.element.textContent = block.pieces.map(({ text }) => text).join('');
    while (this.#filled < count) this.#fillNext();
  }

  #fillOn(): void {
    clearTimeout(this.#task);
    if (this.#filled === this.#blocks.length) return;
    this.#task = setTimeout(() => {
      const end = performance.now() + TASK_MS;
      do this.#fillNext();
      while (this.#filled < this.#blocks.length && performance.now() < end);
      this.onFilled();
      this.#fillOn();
    });
  }

  #fillNext(): void {
    const { element, pieces } = this.#blocks[this.#filled++] ?? {};
    if (!element || !pieces) return;
    const nodes = pieces.map(({ text, section }) => {
      if (!section) return document.createTextNode(text);
      const span = this.add(section.id, sectionModel());
      if (span.textContent !== text) span.textContent = text;
      return span;
    });
    arrange(element, nodes);
    this.#markAll(pieces);
  }

  #markAll(pieces: readonly Piece[]): void {
    for (const { text, section } of pieces) if (section) this.#markOne(text, section);
  }

  #markOne(text: string, section: TextSection): void {
    const span = this.elementOf(section.id);
    if (!span) return;
    markScore(span, section, { ...this.#mark, name: visibleText(text) });
    setAttributes(span, { 'data-line-end': text.includes('\n') && text.trim() === '' ? '' : null });
  }
}

let model: HTMLElement | undefined;

/** What each section is a copy of. A button cannot break across lines as running text must. */
function sectionModel(): HTMLElement {
  model ??= create('span', { role: 'button', class: 'section influence-fill', 'aria-pressed': 'false' });
  return model;
}

/** Pieces by block. A block ends where a line does; a line that is too long for one, where a sentence does. */
function blocksOf(pieces: readonly Piece[]): Piece[][] {
  const blocks: Piece[][] = [[]];
  for (const piece of pieces) {
    const block = blocks.at(-1) ?? [];
    block.push(piece);
    const [least, most] = BLOCK_PIECES;
    const ends = piece.text.endsWith('\n') ? least : /[.!?]$/.test(piece.text) ? most : 2 * most;
    if (block.length >= ends) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}
