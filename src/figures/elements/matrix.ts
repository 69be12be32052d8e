import { largestCell, namesWord, rankedIn, type Section, WEAK_NATS } from '../../explanations/influence.ts';
import { visibleText } from '../../words/language.ts';
import { natsText, sectionName } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { arrange, create, setAttributes } from './drawn-element.ts';
import { signAttributes } from './linked-element.ts';
import { drawnRows, heightOfRows, INITIAL_RANGE, pitchOfRows, rangeAt, skippedAfter } from './row-window.ts';
import { type Scored, ScoredElement } from './scored-element.ts';
import { SectionGroup } from './section-group.ts';

/** The strongest rows first, or as the text has them. */
export type RowOrder = 'strength' | 'text';

/**
 * `<lightwell-matrix>`: sections by targets; earlier target tokens are context of later ones and are listed below. Of thousands
 * of rows only the visible ones are elements, and each has its index in the whole table, so that a screen reader counts right.
 *
 * Events beside those of every linked element, whose `detail` is the index of a target: `lightwell-hover-target` when the
 * pointer has reached the head of its column (null: left it), `lightwell-select-target` when the head was pressed.
 */
export class MatrixElement extends ScoredElement {
  declare order: RowOrder;
  /** Whether all rows are listed, in a container that scrolls. */
  declare isWhole: boolean;

  static {
    this.defineScored('lightwell-matrix', { order: 'strength', isWhole: false });
  }

  readonly #head = create('tr', { 'aria-rowindex': 1 });
  readonly #body = create('tbody');
  readonly #table = create('table', { class: 'matrix' }, create('thead', {}, this.#head), this.#body);
  readonly #frame = create('div', { class: 'rows' }, this.#table);
  readonly #links = new SectionGroup(this.#table, this.actions);
  /** The rows below the head; null is the title above the earlier target tokens. */
  #rows: readonly (Section | null)[] = [];
  #title = create('tr');
  #range = INITIAL_RANGE;
  /** What the head was made of. */
  #heads = '';
  /** What the rows were made of. */
  #listed: readonly unknown[] = [];
  #largest = 0;
  /** The sections that rows show the scores of, on the present scale. */
  #filled = new WeakMap<HTMLElement, Section>();

  constructor() {
    super();
    this.#frame.addEventListener('scroll', () => this.#follow());
    new ResizeObserver(() => this.#follow()).observe(this.#frame);
    // Before the links' own keys: the next row may have to be drawn first.
    this.#frame.addEventListener('keydown', (event) => this.#move(event), { capture: true });
  }

  protected drawScores(scored: Scored): void {
    const { order, isWhole } = this;
    const listed = [scored, order, isWhole];
    if (listed.some((one, at) => one !== this.#listed[at])) this.#list(scored);
    this.#listed = listed;
    this.#drawHead(scored.targets);
    arrange(this.root, [this.#frame]);
  }

  /** A pass over all scores, which a change of the view does not need. */
  #list({ sections, target, targets }: Scored): void {
    const { order, isWhole } = this;
    const largest = largestCell({ sections, target });
    if (largest !== this.#largest) this.#filled = new WeakMap();
    this.#largest = largest;
    const [rows, previous] = [listedRows(sections, order, isWhole), listedRows(target, 'text', isWhole)];
    this.#rows = previous.length > 0 ? [...rows, null, ...previous] : rows;
    this.#title = titleOf(targets.length);
    const { caption, shares } = resultWords().matrix;
    setAttributes(this.#table, {
      'aria-label': this.shownUnit === 'nats' ? caption : shares,
      'aria-rowcount': 1 + this.#rows.length,
    });
    this.#table.style.setProperty('--columns', String(targets.length));
    this.#frame.classList.toggle('tall', isWhole);
    this.#drawRows();
  }

  /** A button stays while its target does: it may have the focus. */
  #drawHead(targets: readonly string[]): void {
    const { section } = resultWords().matrix;
    const heads = [section, ...targets].join('\n');
    if (heads !== this.#heads) {
      const cells = targets.map((text, index) => create('th', { scope: 'col' }, this.#headButton(text, index)));
      this.#head.replaceChildren(create('th', { scope: 'col' }, section), ...cells);
    }
    this.#heads = heads;
    for (const [index, button] of this.#head.querySelectorAll('button').entries())
      setAttributes(button, { 'aria-pressed': String(namesWord(this.shownView, index)) });
  }

  #headButton(text: string, index: number): HTMLElement {
    const button = create('button', { type: 'button', dir: 'auto', title: text.trim() }, visibleText(text));
    button.addEventListener('click', () => {
      this.choose(this.shownView === index ? 'whole' : index);
      this.tell('lightwell-select-target', index);
    });
    button.addEventListener('pointerenter', () => this.tell('lightwell-hover-target', index));
    button.addEventListener('pointerleave', () => this.tell('lightwell-hover-target', null));
    return button;
  }

  #drawRows(): void {
    const rows = this.#rows;
    const { stop } = this.#links;
    const reached = rows.findIndex((section) => section?.id === stop);
    const range = this.isWhole ? this.#range : { first: 0, end: rows.length };
    const drawn = drawnRows(rows.length, range, Math.max(0, reached));
    this.#links.keep(drawn.flatMap(({ index }) => rows[index]?.id ?? []));
    const nodes = drawn.flatMap(({ index, skipped }) => [gapOf(skipped), this.#row(rows[index] ?? null, 2 + index)]);
    const all = [...nodes, gapOf(skippedAfter(rows.length, drawn))];
    arrange(
      this.#body,
      all.filter((node) => node !== null),
    );
  }

  /** @param place  its index in the whole table, from 1 */
  #row(section: Section | null, place: number): HTMLElement {
    const row = section ? this.#links.add(section.id, create('tr', { class: 'row' })) : this.#title;
    setAttributes(row, { 'aria-rowindex': place });
    if (!section || this.#filled.get(row) === section) return row;
    this.#filled.set(row, section);
    const head = create('th', { scope: 'row' }, sectionName(section, 40));
    row.replaceChildren(head, ...section.scores.map((score) => cellOf(score, this.#largest, section.isSink)));
    return row;
  }

  #sections(): readonly Section[] {
    return this.#rows.filter((section) => section !== null);
  }

  #follow(): void {
    if (!this.isWhole) return;
    const { scrollTop, clientHeight } = this.#frame;
    const { first, end } = rangeAt(scrollTop, clientHeight, pitchOfRows());
    if (first === this.#range.first && end === this.#range.end) return;
    this.#range = { first, end };
    this.#drawRows();
    this.showActive();
  }

  /** The keys that move between rows follow the list of rows. */
  #move(event: KeyboardEvent): void {
    const from = event.target instanceof HTMLTableRowElement ? event.target.dataset['section'] : undefined;
    const all = this.#sections();
    const next = from && rowAfter(event.key, from, all);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.#links.reach(next.id);
    this.#drawRows();
    this.elementOf(next.id)?.focus();
  }

  protected elementOf(id: string): HTMLElement | undefined {
    return this.#links.elementOf(id);
  }
}

/** The title above the earlier target tokens. */
function titleOf(columns: number): HTMLTableRowElement {
  const head = create('th', { scope: 'rowgroup', colspan: columns + 1 }, resultWords().matrix.previous);
  return create('tr', { class: 'group-title' }, head);
}

/** Rows of each group that are listed unless all are. */
const FIRST_ROWS = 16;

/** All rows, or the strongest without those that are next to zero for every word. */
export function listedRows(sections: readonly Section[], order: RowOrder, isWhole: boolean): readonly Section[] {
  const isInformative = (score: number | null) => score !== null && Math.abs(score) > WEAK_NATS;
  const informative = isWhole ? sections : sections.filter(({ scores }) => scores.some(isInformative));
  const strongest = rankedIn(informative, 'whole').slice(0, isWhole ? sections.length : FIRST_ROWS);
  if (order === 'strength') return strongest;
  const listed = new Set(strongest);
  return sections.filter((section) => listed.has(section));
}

function rowAfter(key: string, from: string, all: readonly Section[]): Section | undefined {
  const at = all.findIndex(({ id }) => id === from);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key === 'ArrowDown' || key === 'ArrowRight') return all[at + 1];
  return key === 'ArrowUp' || key === 'ArrowLeft' ? all[at - 1] : undefined;
}

function cellOf(score: number | null, largest: number, isSink = false): HTMLElement {
  if (score === null) return create('td', { class: 'none' }, '–');
  return create('td', { class: 'influence-fill', ...signAttributes(score, largest, isSink) }, natsText(score));
}

/** As tall as the rows that are not drawn; null for none. */
function gapOf(rows: number): HTMLElement | null {
  if (rows === 0) return null;
  const gap = create('tr', { 'aria-hidden': 'true', class: 'gap' });
  gap.style.height = heightOfRows(rows);
  return gap;
}

declare global {
  interface HTMLElementTagNameMap {
    'lightwell-matrix': MatrixElement;
  }
}
