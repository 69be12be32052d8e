import { marginIn, scoreIn, type ScoreView, type Section } from '../../explanations/influence.ts';
import { levelOf, signOf } from '../scale.ts';
import { scoreText } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { DrawnElement, setAttributes } from './drawn-element.ts';

/** A section in an event of an element; `start` and `length` in code points, absent for a tile of a picture. */
export interface SelectedSection {
  readonly id: string;
  readonly start?: number;
  readonly length?: number;
}

/**
 * An element of which one section is highlighted: by pointer, focus, click or Enter, or by its properties, so that several
 * elements highlight the same one.
 *
 * Events, whose `detail` is a section or null: `lightwell-hover` when pointer or focus has reached or left one, and
 * `lightwell-select` when the reader has pinned or unpinned one.
 */
export abstract class LinkedElement extends DrawnElement {
  #hovered: string | null = null;
  #pinned: string | null = null;
  #active: HTMLElement | undefined;
  #pressed: HTMLElement | undefined;

  /** Id of the section under the pointer or the focus; null for none. */
  get hovered(): string | null {
    return this.#hovered;
  }

  set hovered(id: string | null) {
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.showActive();
  }

  /** Id of the section that stays selected; null for none. */
  get pinned(): string | null {
    return this.#pinned;
  }

  set pinned(id: string | null) {
    if (id === this.#pinned) return;
    this.#pinned = id;
    this.showActive();
  }

  /** Moves the focus to a section. Nothing happens for one that is not shown. */
  focusOn(id: string): void {
    this.elementOf(id)?.focus();
  }

  protected get active(): string | null {
    return this.#hovered ?? this.#pinned;
  }

  protected readonly actions = {
    hover: (id: string | null) => {
      if (id === this.#hovered) return;
      this.hovered = id;
      this.#tell('lightwell-hover', id);
    },
    choose: (id: string) => this.#pin(id === this.#pinned ? null : id),
    release: () => this.#pin(null),
  };

  #pin(id: string | null): void {
    this.pinned = id;
    this.#tell('lightwell-select', id);
  }

  #tell(name: string, id: string | null): void {
    const section = id === null ? undefined : this.sectionOf(id);
    const place = section && section.part !== 'picture' && { start: section.start, length: section.length };
    this.tell(name, section ? ({ id: section.id, ...place } satisfies SelectedSection) : null);
  }

  /** Dispatches an event that pages around the element get too. */
  protected tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  protected abstract sectionOf(id: string): Section | undefined;
  protected abstract elementOf(id: string): HTMLElement | undefined;

  /** What is shown above the section that is highlighted; null for nothing. */
  protected numberOf(_id: string): string | null {
    return null;
  }

  /** Marks the section that is highlighted, and that which is pinned; to call after each drawing. */
  protected showActive(): void {
    const active = this.active === null ? undefined : this.elementOf(this.active);
    if (this.#active !== active && this.#active)
      setAttributes(this.#active, { 'data-active': null, 'data-label': null });
    if (active) setAttributes(active, { 'data-active': 'true', 'data-label': this.numberOf(this.active ?? '') });
    this.#active = active;
    const pinned = this.#pinned === null ? undefined : this.elementOf(this.#pinned);
    const pressed = pinned?.hasAttribute('aria-pressed') ? pinned : undefined; // a row is not a button
    if (this.#pressed !== pressed) this.#pressed?.setAttribute('aria-pressed', 'false');
    pressed?.setAttribute('aria-pressed', 'true');
    this.#pressed = pressed;
  }
}

/** Marks the element of a section with its score: for the style sheet, and for screen readers. */
export function markScore(
  element: HTMLElement,
  section: Section,
  mark: { readonly view: ScoreView; readonly name: string; readonly largest: number },
): void {
  const { view, name, largest } = mark;
  const score = scoreIn(section, view);
  const margin = marginIn(section, view);
  setAttributes(element, {
    'aria-label': [name, scoreText(score, margin), ...(section.isSink ? [resultWords().sink.name] : [])].join(', '),
    ...signAttributes(score, largest, section.isSink),
    'data-estimated': score !== null && margin !== null ? 'true' : null,
  });
}

/** The attributes by which the style sheet colours a score. @param largest  score on the scale, nats */
export function signAttributes(score: number | null, largest: number, isSink = false) {
  return {
    'data-score': score,
    'data-sign': signOf(score ?? 0, isSink),
    'data-level': isSink ? 0 : levelOf(score ?? 0, largest),
  };
}
