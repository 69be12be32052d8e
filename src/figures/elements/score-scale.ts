import type { ScoreUnit } from './heat-data.ts';
import { NEUTRAL_NATS } from '../../explanations/influence.ts';
import { numberText } from '../../words/language.ts';
import { fullColour } from '../scale.ts';
import { resultWords } from '../words.en.ts';
import { create, DrawnElement } from './drawn-element.ts';

/** The words at a scale of colours: at its ends, and what the numbers are. */
export interface ScaleTexts {
  readonly low?: string;
  readonly high?: string;
  readonly note?: string;
}

/** Draws the meaning of the colours, and the numbers at their ends. @param largest  score on the scale, in `unit` */
export function drawScale(element: HTMLElement, largest: number, texts: ScaleTexts, unit: ScoreUnit = 'nats'): void {
  const words = resultWords().heat;
  const ofNumbers = (unit === 'nats' ? words.unit : words.share)(numberText(NEUTRAL_NATS));
  const { low = words.opposes, high = words.supports, note = ofNumbers } = texts;
  const full = numberText(fullColour(largest));
  element.replaceChildren(
    create('span', { class: 'end' }, low),
    create('span', { class: 'number' }, `−${full}`),
    create('span', { class: 'scale', 'aria-hidden': 'true' }, create('span', { class: 'zero' })),
    create('span', { class: 'number' }, `+${full}`),
    create('span', { class: 'end' }, high),
    create('span', { class: 'unit' }, note),
  );
}

/** `<lightwell-scale>`: the scale that several heat maps share. */
export class ScoreScaleElement extends DrawnElement {
  /** Largest score of the heat maps, nats. */
  declare largest: number;
  declare texts: ScaleTexts;

  static {
    this.define('lightwell-scale', { largest: 0, texts: {} });
  }

  protected draw(): void {
    const legend = create('div', { class: 'legend' });
    drawScale(legend, this.largest, this.texts);
    this.root.replaceChildren(legend);
  }
}
