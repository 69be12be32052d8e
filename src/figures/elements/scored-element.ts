import { type ScoreView, type Section, sectionOf, type TextSection, viewIn } from '../../explanations/influence.ts';
import { inNats } from '../texts.ts';
import { create } from './drawn-element.ts';
import { type HeatData, heatDataOf, type ScoreUnit } from './heat-data.ts';
import { LinkedElement } from './linked-element.ts';
import type { TextScore } from '../../contract/explain.ts';

/** What is computed from the properties, until they change. */
export interface Scored extends HeatData {
  readonly targets: readonly string[];
  /** Earlier tokens of the target. */
  readonly target: readonly TextSection[];
  /** The picture, then the text. */
  readonly sections: readonly Section[];
}

/** Scores of a text: of one target, or a list for each token of a target, whose scores add up. */
type TextScores = readonly TextScore[] | readonly (readonly TextScore[])[];

/** An element that shows the scores of a text. */
export abstract class ScoredElement extends LinkedElement {
  /** With `scores`: what it shows. The attributes of these names hold the text, and the scores as JSON. */
  declare text: string;
  declare scores: TextScores;
  /** Names of the targets, one for each list of scores. */
  declare targets: readonly string[];
  /** Of `scores`. */
  declare unit: ScoreUnit;
  /** What it shows, in place of `text` and `scores`, with scores in nats. */
  declare data: HeatData | null;
  /** The target that is shown; null: the one that the reader chooses. */
  declare view: ScoreView | null;

  static readonly observedAttributes = ['text', 'scores'];

  #scored: Scored | null = null;
  /** What it was computed from. */
  #sources: readonly unknown[] = [];
  #chosen: ScoreView = 'whole';

  protected static defineScored(name: string, properties: Readonly<Record<string, unknown>> = {}): void {
    this.define(name, { text: '', scores: [], targets: [], unit: 'nats', data: null, view: null, ...properties });
  }

  attributeChangedCallback(name: string, _old: string | null, value: string | null): void {
    if (name === 'text') this.text = value ?? '';
    else this.scores = parsed(value ?? '[]') as TextScores; // checked where it is drawn
  }

  protected get shownUnit(): ScoreUnit {
    return this.data === null ? this.unit : 'nats';
  }

  /** A written score with its unit; a share has none. */
  protected withUnit(score: string): string {
    return this.shownUnit === 'nats' ? inNats(score) : score;
  }

  protected get shownView(): ScoreView {
    return this.view ?? (this.#scored ? viewIn(this.#scored, this.#chosen) : 'whole');
  }

  /** Shows what the reader has chosen, where `view` leaves it to them. */
  protected choose(view: ScoreView): void {
    if (this.view !== null) return;
    this.#chosen = view;
    this.changed();
  }

  protected abstract drawScores(scored: Scored): void;

  protected draw(): void {
    try {
      this.drawScores(this.#computed());
      this.showActive();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.root.replaceChildren(create('p', { role: 'alert' }, error.message));
    }
  }

  /** @throws {RangeError} when the scores are none of the text's */
  #computed(): Scored {
    const sources = [this.data, this.text, this.scores, this.targets, this.unit];
    if (this.#scored && sources.every((source, at) => source === this.#sources[at])) return this.#scored;
    this.#scored = null;
    const data = this.data ?? heatDataOf(this.text, this.scores, this.targets, this.unit);
    const { picture, prompt, targets = [], target = [] } = data.influence;
    this.#sources = sources;
    this.#scored = { ...data, targets, target, sections: [...picture, ...prompt] };
    return this.#scored;
  }

  protected sectionOf(id: string): Section | undefined {
    return this.#scored ? sectionOf(this.#scored, id) : undefined;
  }
}

/** The value of a JSON text, or the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
