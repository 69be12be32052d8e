import { rankedIn, splitByStrength } from '../../explanations/influence.ts';
import { signOf } from '../scale.ts';
import { barDomain, type BarRow, barRows, BARS_LIMIT } from '../influence-series.ts';
import { natsText, scoreText } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { arrange, create, setAttributes } from './drawn-element.ts';
import { type Scored, ScoredElement } from './scored-element.ts';
import { SectionGroup } from './section-group.ts';

/** `<lightwell-bars>`: the strongest sections as bars around zero: to the right supports, to the left opposes. CSS part: `bars`. */
export class BarsElement extends ScoredElement {
  static {
    this.defineScored('lightwell-bars');
  }

  readonly #group = new SectionGroup('bars', this.actions);

  protected drawScores({ sections }: Scored): void {
    const view = this.shownView;
    const reasons = sections.filter(({ isSink }) => !isSink);
    const { strong } = splitByStrength(rankedIn(reasons, view), view);
    const rows = barRows(strong.slice(0, BARS_LIMIT), view);
    const domain = barDomain(rows);
    const [low, high] = domain;
    const { element } = this.#group;
    setAttributes(element, { 'aria-label': resultWords().bars.label });
    element.classList.toggle('opposed', low < 0);
    element.classList.toggle('supported', high > 0);
    element.style.setProperty('--zero', shareOf(0, domain));
    this.#group.keep(rows.map(({ id }) => id));
    arrange(
      element,
      rows.map((row) => this.#row(row, domain)),
    );
    arrange(this.root, [element]);
  }

  #row({ id, name, score, margin }: BarRow, domain: readonly [number, number]): HTMLElement {
    const row = this.#group.add(id, create('div', { role: 'img', class: 'bar-row' }));
    const [from, to] = [Math.min(0, score), Math.max(0, score)];
    row.style.setProperty('--from', shareOf(from, domain));
    row.style.setProperty('--to', shareOf(to, domain));
    setAttributes(row, {
      'aria-label': `${name}, ${this.withUnit(scoreText(score, margin))}`,
      'data-sign': signOf(score),
      'data-estimated': margin === null ? null : 'true',
    });
    const number = create('span', { class: score < 0 ? 'number before' : 'number' }, natsText(score));
    const track = create('span', { class: 'track' }, create('span', { class: 'bar' }), number);
    row.replaceChildren(create('span', { class: 'bar-name' }, name), track);
    return row;
  }

  protected elementOf(id: string): HTMLElement | undefined {
    return this.#group.elementOf(id);
  }
}

/** Where a score is on the axis, 0 … 1. */
function shareOf(score: number, [low, high]: readonly [number, number]): string {
  return ((score - low) / (high - low)).toFixed(4);
}

declare global {
  interface HTMLElementTagNameMap {
    'lightwell-bars': BarsElement;
  }
}
