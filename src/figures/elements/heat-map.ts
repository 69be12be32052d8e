import {
  largestIn,
  marginIn,
  runningText,
  type ScoreView,
  type Section,
  sectionOf,
  scoreIn,
  viewIn,
} from '../../explanations/influence.ts';
import { visibleText } from '../../words/language.ts';
import { inNats, natsText, placeText, scoreText, sectionPhrase, tileName } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { arrange, create, setAttributes } from './drawn-element.ts';
import { type HeatData, heatDataOf, type TextScores } from './heat-data.ts';
import { LinkedElement, markScore } from './linked-element.ts';
import { drawScale, type ScaleTexts } from './score-scale.ts';
import type { ScoreTableElement, TableSettings } from './score-table.ts';
import './score-table.ts';
import { SectionGroup } from './section-group.ts';
import { TextMap } from './text-map.ts';

/** What screen readers call the parts of a heat map, and the words at its scale. */
export interface HeatTexts extends ScaleTexts {
  readonly text?: string;
  readonly picture?: string;
}

/** What is computed from the properties, until they change. */
interface Drawn extends HeatData {
  readonly pieces: ReturnType<typeof runningText>;
  readonly targets: readonly string[];
  readonly sections: readonly Section[];
}

/**
 * `<lightwell-heat-map>`: a text, and a picture before it, each section in the colour of its score, with scale, the numbers of
 * the section under the pointer, and a table of all. CSS parts: `targets`, `picture`, `text`, `scale`, `numbers`, `table`.
 */
export class HeatMapElement extends LinkedElement {
  /** With `scores`: what it shows. The attributes of these names hold the text, and the scores as JSON. */
  declare text: string;
  declare scores: TextScores;
  /** Names of the targets, one for each list of scores. */
  declare targets: readonly string[];
  /** What it shows, in place of `text` and `scores`. */
  declare data: HeatData | null;
  /** The target that is shown; null: the reader chooses. */
  declare view: ScoreView | null;
  /** Largest scores of all heat maps that share their scales; null: of this one. */
  declare largest: { readonly picture: number; readonly text: number } | null;
  declare texts: HeatTexts;
  /** How the table processes its numbers. */
  declare settings: TableSettings;

  static readonly observedAttributes = ['text', 'scores']; // before the definition, which reads them

  static {
    const settings: TableSettings = { postprocessing: 'none', normalize: false };
    const shown = { text: '', scores: [], targets: [], data: null };
    this.define('lightwell-heat-map', { ...shown, view: null, largest: null, texts: {}, settings });
  }

  readonly #picture = new SectionGroup('picture', this.actions);
  readonly #text = new TextMap('text', this.actions);
  readonly #image = create('img');
  readonly #frame = create('div', { class: 'frame' });
  readonly #numbers = create('p', { part: 'numbers', class: 'numbers' });
  readonly #pictureScale = create('div', { part: 'scale', class: 'legend' });
  readonly #textScale = create('div', { part: 'scale', class: 'legend' });
  readonly #table = document.createElement('lightwell-score-table') as ScoreTableElement;
  readonly #choice = create('select');
  #chosen: ScoreView = 'whole';
  #drawn: Drawn | null = null;
  /** What it was computed from. */
  #sources: readonly unknown[] = [];

  constructor() {
    super();
    this.#text.onFilled = () => this.showActive();
    this.#table.setAttribute('part', 'table');
    this.#picture.element.append(this.#frame);
    this.#image.addEventListener('load', () => {
      const { naturalWidth, naturalHeight } = this.#image;
      this.#frame.style.setProperty('--ratio', (naturalWidth / (naturalHeight || 1)).toFixed(4));
    });
    this.#choice.addEventListener('change', () => {
      this.#chosen = this.#choice.value === 'whole' ? 'whole' : Number(this.#choice.value);
      this.changed();
    });
  }

  attributeChangedCallback(name: string, _old: string | null, value: string | null): void {
    if (name === 'text') this.text = value ?? '';
    else this.scores = parsed(value ?? '[]') as TextScores; // checked where it is drawn
  }

  protected draw(): void {
    try {
      this.#drawAll(this.#computed());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.root.replaceChildren(create('p', { role: 'alert' }, error.message));
    }
  }

  /** @throws {RangeError} when the scores are none of the text's */
  #computed(): Drawn {
    const sources = [this.data, this.text, this.scores, this.targets];
    if (this.#drawn && sources.every((source, at) => source === this.#sources[at])) return this.#drawn;
    const data = this.data ?? heatDataOf(this.text, this.scores, this.targets);
    const { picture, prompt, targets = [] } = data.influence;
    this.#sources = sources;
    this.#drawn = null; // its elements are not those of the new one
    return { ...data, targets, sections: [...picture, ...prompt], pieces: runningText(data.text, prompt) };
  }

  #drawAll(drawn: Drawn): void {
    const { text, picture, targets, sections } = drawn;
    const view = this.view ?? viewIn(drawn, this.#chosen);
    const parts: HTMLElement[] = [];
    if (this.view === null && targets.length > 1) parts.push(this.#drawTargets(targets, view));
    if (picture) parts.push(this.#drawPicture(drawn, view), this.#pictureScale);
    if (text !== '') parts.push(this.#drawText(drawn, view));
    parts.push(this.#numbers);
    if (text !== '') parts.push(this.#textScale);
    const { settings } = this;
    Object.assign(this.#table, { label: resultWords().heat.table, sections, view, settings });
    arrange(this.root, [...parts, this.#table]);
    this.#drawn = drawn;
    this.showActive();
  }

  /** The text as it reads. */
  #drawText(drawn: Drawn, view: ScoreView): HTMLElement {
    const words = resultWords().heat;
    const { element } = this.#text;
    setAttributes(element, { 'aria-label': words.sectionKeys(this.texts.text ?? words.prompt) });
    const largest = this.largest?.text ?? largestIn(drawn.influence.prompt, view);
    drawScale(this.#textScale, largest, this.texts);
    this.#text.draw(drawn.pieces, view, largest);
    return element;
  }

  /** The picture in grey, with its tiles: the picture's own colours would be taken for scores. */
  #drawPicture({ picture, influence }: Drawn, view: ScoreView): HTMLElement {
    const words = resultWords().heat;
    const { element } = this.#picture;
    const tiles = influence.picture;
    setAttributes(element, { 'aria-label': words.tileKeys(this.texts.picture ?? words.picture) });
    setAttributes(this.#image, { src: picture?.url, alt: picture?.alt });
    const largest = this.largest?.picture ?? largestIn(tiles, view);
    drawScale(this.#pictureScale, largest, this.texts);
    this.#picture.keep(tiles.map(({ id }) => id));
    const model = create('button', { type: 'button', class: 'tile influence-fill', 'aria-pressed': 'false' });
    const buttons = tiles.map((tile) => {
      const button = this.#picture.add(tile.id, model);
      markScore(button, tile, { view, name: tileName(tile), largest });
      for (const [side, share] of Object.entries(tile.rect)) button.style.setProperty(side, `${share * 100}%`);
      return button;
    });
    arrange(this.#frame, [this.#image, ...buttons]);
    return element;
  }

  #drawTargets(targets: readonly string[], view: ScoreView): HTMLElement {
    const words = resultWords().heat;
    const options = targets.map((text, at) => create('option', { value: at }, visibleText(text)));
    this.#choice.replaceChildren(create('option', { value: 'whole' }, words.whole), ...options);
    this.#choice.value = String(view);
    return create('label', { part: 'targets', class: 'targets' }, words.target, this.#choice);
  }

  protected sectionOf(id: string): Section | undefined {
    const { sections = [], influence } = this.#drawn ?? {};
    return sectionOf({ sections, target: influence?.target ?? [] }, id);
  }

  protected elementOf(id: string): HTMLElement | undefined {
    return this.#text.elementOf(id) ?? this.#picture.elementOf(id);
  }

  protected numberOf(id: string): string {
    const section = this.sectionOf(id);
    return section ? scoreText(scoreIn(section, this.#view()), marginIn(section, this.#view())) : '';
  }

  #view(): ScoreView {
    return this.view ?? (this.#drawn ? viewIn(this.#drawn, this.#chosen) : 'whole');
  }

  /** The numbers of the active section, always in the same place. */
  protected override showActive(): void {
    super.showActive();
    const section = this.active === null ? undefined : this.sectionOf(this.active);
    if (!section) return this.#numbers.replaceChildren(resultWords().heat.readout);
    const score = scoreIn(section, this.#view());
    return this.#numbers.replaceChildren(
      create('strong', { class: 'name' }, sectionPhrase(section, 48)),
      create('span', { class: 'score' }, score === null ? scoreText(score) : inNats(natsText(score))),
      create('span', {}, placeText(section)),
    );
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

declare global {
  interface HTMLElementTagNameMap {
    'lightwell-heat-map': HeatMapElement;
  }
}
