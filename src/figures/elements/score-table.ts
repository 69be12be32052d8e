import { marginIn, scoreIn, type ScoreView, type Section, splitByStrength } from '../../explanations/influence.ts';
import type { Settings } from '../../explanations/question.ts';
import { fixedText, visibleText } from '../../words/language.ts';
import { natsText, placeText, scoreText, tileName, weakText } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { create, DrawnElement } from './drawn-element.ts';
import type { ScoreUnit } from './heat-data.ts';

/** How numbers are processed and scaled. */
export type TableSettings = Pick<Settings, 'postprocessing' | 'normalize'>;

/** `<lightwell-score-table>`: the numbers of a chart, collapsed at first. */
export class ScoreTableElement extends DrawnElement {
  declare label: string;
  declare sections: readonly Section[];
  declare view: ScoreView;
  declare settings: TableSettings;
  declare unit: ScoreUnit;

  readonly #summary = create('summary');
  readonly #fold = create('details', { class: 'fold' }, this.#summary);
  #hasWeak = false;

  static {
    const settings: TableSettings = { postprocessing: 'none', normalize: false };
    this.define('lightwell-score-table', { label: '', sections: [], view: 'whole', settings, unit: 'nats' });
  }

  constructor() {
    super();
    this.root.append(this.#fold);
    this.#fold.addEventListener('toggle', () => this.draw());
  }

  /** The table is made when it is opened. */
  protected draw(): void {
    this.#summary.textContent = this.label;
    if (!this.#fold.open) return this.#fold.replaceChildren(this.#summary);
    const words = resultWords().table;
    const { head, texts } = tableNumbers(this.sections, this.view, this.settings, this.unit);
    const heads = [words.section, words.place, head].map((text) => create('th', { scope: 'col' }, text));
    const table = create('table', {}, create('thead', {}, create('tr', {}, ...heads)), this.#rows(texts));
    // What scrolls must be reachable by keyboard.
    const scroll = create('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': this.label }, table);
    return this.#fold.replaceChildren(this.#summary, scroll);
  }

  /** Scores next to zero are one line at first. */
  #rows(texts: ReadonlyMap<string, string>): HTMLElement {
    const { strong, weak } = splitByStrength(this.sections, this.view);
    const row = (section: Section) => rowOf(section, texts.get(section.id) ?? '');
    const body = create('tbody', {}, ...strong.map(row));
    if (weak.length === 0) return body;
    const button = create('button', { type: 'button', 'aria-expanded': String(this.#hasWeak) }, weakText(weak.length));
    button.addEventListener('click', () => {
      this.#hasWeak = !this.#hasWeak;
      this.draw();
      this.root.querySelector<HTMLElement>('.more button')?.focus();
    });
    body.append(create('tr', {}, create('td', { colspan: 3, class: 'more' }, button)));
    if (this.#hasWeak) body.append(...weak.map(row));
    return body;
  }
}

function rowOf(section: Section, number: string): HTMLElement {
  const name = section.part === 'picture' ? tileName(section) : visibleText(section.text);
  const head = create('th', { scope: 'row' }, create('bdi', {}, name));
  return create('tr', {}, head, create('td', {}, placeText(section)), create('td', {}, number));
}

/**
 * Scores as a table lists them: each processed, then all scaled, as the contract does. Estimates are marked, plain ones with
 * their margins.
 *
 * @returns `head` of their column, such as `Score, nats`; `texts` by the section's id
 * @edge    scaled scores that are all equal become 0
 * @source  interface.md, `postprocessing` and `normalize`
 */
export function tableNumbers(
  sections: readonly Section[],
  view: ScoreView,
  { postprocessing, normalize }: TableSettings,
  unit: ScoreUnit = 'nats',
): { readonly head: string; readonly texts: ReadonlyMap<string, string> } {
  const words = resultWords().table;
  const scores = sections.map((section) => PROCESSES[postprocessing](scoreIn(section, view) ?? 0));
  const shown = normalize ? scaled(scores).map((score) => fixedText(score, 3)) : scores.map(natsText);
  const isPlain = !normalize && postprocessing === 'none';
  const texts = sections.map((section, at) => {
    const margin = marginIn(section, view);
    const number = shown[at] ?? '';
    const marked = isPlain ? scoreText(scoreIn(section, view) ?? 0, margin) : `≈ ${number}`;
    return [section.id, margin === null ? number : marked] as const;
  });
  const heads = unit === 'nats' ? words.scores : words.shares;
  return { head: (normalize ? words.scaled : heads)[postprocessing], texts: new Map(texts) };
}

const PROCESSES: Readonly<Record<Settings['postprocessing'], (score: number) => number>> = {
  none: (score) => score,
  absolute: Math.abs,
  square: (score) => score ** 2,
};

function scaled(scores: readonly number[]): number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const range = scores.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}
