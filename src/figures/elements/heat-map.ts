import { largestIn, marginIn, runningText, type ScoreView, scoreIn } from '../../explanations/influence.ts';
import { visibleText } from '../../words/language.ts';
import { natsText, placeText, scoreText, sectionPhrase, tileName } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { arrange, create, setAttributes } from './drawn-element.ts';
import './bars.ts'; // one module for other pages
import { markScore } from './linked-element.ts';
import './matrix.ts';
import { drawScale, type ScaleTexts } from './score-scale.ts';
import type { ScoreTableElement, TableSettings } from './score-table.ts';
import './score-table.ts';
import { type Scored, ScoredElement } from './scored-element.ts';
import { SectionGroup } from './section-group.ts';
import { TextMap } from './text-map.ts';

/** What screen readers call the parts of a heat map, and the words at its scale. */
export interface HeatTexts extends ScaleTexts {
  readonly text?: string;
  readonly picture?: string;
}

/**
 * `<lightwell-heat-map>`: a text, and a picture before it, each section in the colour of its score, with scale, the numbers of
 * the section under the pointer, and a table of all. CSS parts: `targets`, `picture`, `text`, `scale`, `numbers`, `table`.
 */
export class HeatMapElement extends ScoredElement {
  /** Largest scores of all heat maps that share their scales; null: of this one. */
  declare largest: { readonly picture: number; readonly text: number } | null;
  declare texts: HeatTexts;
  /** How the table processes its numbers. */
  declare settings: TableSettings;

  static {
    const settings: TableSettings = { postprocessing: 'none', normalize: false };
    this.defineScored('lightwell-heat-map', { largest: null, texts: {}, settings });
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
  #shown: { readonly scored: Scored; readonly pieces: ReturnType<typeof runningText> } | null = null;

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
      this.choose(this.#choice.value === 'whole' ? 'whole' : Number(this.#choice.value));
    });
  }

  protected drawScores(scored: Scored): void {
    const { text, picture, influence, targets, sections } = scored;
    if (scored !== this.#shown?.scored) this.#shown = { scored, pieces: runningText(text, influence.prompt) };
    const view = this.shownView;
    const parts: HTMLElement[] = [];
    if (this.view === null && targets.length > 1) parts.push(this.#drawTargets(targets, view));
    if (picture) parts.push(this.#drawPicture(scored, view), this.#pictureScale);
    if (text !== '') parts.push(this.#drawText(scored, this.#shown.pieces, view));
    parts.push(this.#numbers);
    if (text !== '') parts.push(this.#textScale);
    const { settings, shownUnit: unit } = this;
    Object.assign(this.#table, { label: resultWords().heat.table, sections, view, settings, unit });
    arrange(this.root, [...parts, this.#table]);
  }

  #drawText({ influence }: Scored, pieces: ReturnType<typeof runningText>, view: ScoreView): HTMLElement {
    const words = resultWords().heat;
    const { element } = this.#text;
    setAttributes(element, { 'aria-label': words.sectionKeys(this.texts.text ?? words.prompt) });
    const largest = this.largest?.text ?? largestIn(influence.prompt, view);
    drawScale(this.#textScale, largest, this.texts, this.shownUnit);
    this.#text.draw(pieces, view, largest);
    return element;
  }

  /** The picture in grey, with its tiles: the picture's own colours would be taken for scores. */
  #drawPicture({ picture, influence }: Scored, view: ScoreView): HTMLElement {
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

  protected elementOf(id: string): HTMLElement | undefined {
    return this.#text.elementOf(id) ?? this.#picture.elementOf(id);
  }

  protected override numberOf(id: string): string {
    const section = this.sectionOf(id);
    return section ? scoreText(scoreIn(section, this.shownView), marginIn(section, this.shownView)) : '';
  }

  /** The numbers of the active section, always in the same place. */
  protected override showActive(): void {
    super.showActive();
    const section = this.active === null ? undefined : this.sectionOf(this.active);
    if (!section) return this.#numbers.replaceChildren(resultWords().heat.readout);
    const score = scoreIn(section, this.shownView);
    return this.#numbers.replaceChildren(
      create('strong', { class: 'name' }, sectionPhrase(section, 48)),
      create('span', { class: 'score' }, score === null ? scoreText(score) : this.withUnit(natsText(score))),
      create('span', {}, placeText(section)),
      ...(section.isSink ? [create('span', {}, resultWords().sink.name)] : []),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'lightwell-heat-map': HeatMapElement;
  }
}
