import { sectionsWords } from '../../explanations/words.en.ts';
import { captionOf } from '../caption.ts';
import { figuresWords, resultWords } from '../words.en.ts';
import { exactText, numberText } from '../../words/language.ts';
import { VERSION } from '../../contract/description/version.ts';
import { type recordText, requestFields } from '../../explanations/export.ts';
import { NEUTRAL_NATS, type ScoreView, textIn, viewIn } from '../../explanations/influence.ts';
import { factorOf, hasEstimates, type Outcome } from '../../explanations/outcome.ts';
import { addsLogarithm, granularityOf, type Settings } from '../../explanations/question.ts';
import { factorText, natsText, quoted, sectionPhrase, timesFactor } from '../texts.ts';
import {
  createFigurePage,
  FACES,
  FIGURE_WIDTH,
  type FigurePage,
  label,
  type Typesetter,
  type VectorFigure,
} from './figure.ts';
import { COLOURS } from '../colours.ts';

/** What is exported. */
export interface FigureSource {
  readonly outcome: Outcome;
  /** The part of the target that the page shows. */
  readonly view: ScoreView;
  readonly model: string;
  /** For a record; without it there is none. */
  readonly recording?: Parameters<typeof recordText>[2];
}

interface Fact {
  readonly name: string;
  readonly text: string;
}

/** The text around every figure. */
export interface Content extends FigureSource {
  readonly lead: string;
  readonly detail: string;
  /** That sections are missing; null if all are there. */
  readonly partial: string | null;
  readonly facts: readonly Fact[];
}

/** The program that made the figure. */
export const MADE_WITH = `Lightwell ${VERSION}`;

/** The text around a figure of a result. */
export function contentOf(source: FigureSource): Content {
  const { outcome } = source;
  const view = viewIn(outcome.influence, source.view);
  const isPartial = outcome.modelVersion === null;
  const { lead, detail } = captionOf(outcome, view);
  return {
    ...source,
    view,
    lead: isPartial ? `${resultWords().soFar} ${lead}` : lead,
    detail,
    partial: isPartial ? figuresWords().partial : null,
    facts: factsOf({ ...source, view }),
  };
}

function factsOf({ outcome, model, view }: FigureSource): Fact[] {
  const words = figuresWords();
  const names = words.facts;
  const { influence, modelVersion, question, upstream } = outcome;
  const settings = { ...question.settings, granularity: granularityOf(question.settings, upstream) };
  const factor = factorOf(outcome);
  const estimated = influence.sections.filter(({ margins }) => margins).length;
  return [
    { name: names.target, text: quotedExactly(question.target) },
    ...(view === 'whole' ? [] : [{ name: names.view, text: quotedExactly(textIn(influence, view)) }]),
    { name: names.model, text: modelText(model, modelVersion) },
    ...(upstream === null ? [] : [{ name: names.sent, text: upstream }]),
    { name: names.settings, text: settingsText(settings, requestFields(outcome, model)) },
    {
      name: names.scores,
      text:
        factor === null
          ? words.scoresDeleted(numberText(NEUTRAL_NATS))
          : words.scores(factor > 1 ? 'falls' : 'rises', timesFactor(factor), numberText(NEUTRAL_NATS)),
    },
    ...(hasEstimates(outcome)
      ? [{ name: names.estimates, text: words.estimates(numberText(estimated), numberText(influence.sections.length)) }]
      : []),
    ...influence.prompt
      .filter(({ isSink }) => isSink)
      .map((section) => ({ name: names.sink, text: words.sink(sectionPhrase(section), natsText(section.total)) })),
  ];
}

/** A score in a figure, marked if it is an estimate. */
export function scoreLabel(score: number, margin: number | null): string {
  return margin === null ? natsText(score) : `≈ ${natsText(score)}`;
}

/** The prompt as a line below figures that do not show it. */
export function promptFact({ outcome: { question } }: FigureSource): Fact {
  const words = figuresWords();
  const name = words.facts.prompt;
  const picture = question.picture && words.picture(question.picture.name);
  if (question.prompt === '') return { name, text: picture ?? '' };
  const text = quotedExactly(question.prompt);
  return { name, text: picture === null ? text : words.pictureAndText(picture, text) };
}

/** A text in quotation marks with its outer white space, such as ` Paris`. */
export function quotedExactly(text: string): string {
  return sectionsWords().phrase.text(text);
}

function modelText(model: string, version: string | null): string {
  const words = figuresWords();
  const named = version === null || version.includes(model) ? version : words.version(model, version);
  return words.drawnWith(named ?? model, MADE_WITH);
}

/** Title of a figure for people who do not see it. */
export function titleOf(kind: 'heat' | 'bars' | 'matrix', { lead, outcome }: Content): string {
  return figuresWords().titles[kind](quoted(outcome.question.target), lead);
}

/** The settings of a result in a sentence. @param fields  of its request */
export function settingsText(settings: Settings, { method, budget }: ReturnType<typeof requestFields>): string {
  const { granularity, delimiter } = settings;
  const words = figuresWords().settings;
  return [
    granularity === 'custom' ? words.splitAt(delimiter.replaceAll('\n', '↵')) : words.split[granularity],
    method === 'deletion' ? words.deleted : attentionText(settings),
    ...(budget === undefined ? [] : [`budget ${budget}`]),
  ].join('; ');
}

function attentionText(settings: Settings): string {
  const { factor, overlap, similarity } = settings;
  const words = figuresWords().settings;
  return [
    (addsLogarithm(settings) ? words.add : words.multiply)(timesFactor(factor), factorText(factor)),
    words[overlap],
    similarity === null ? words.notSimilar : words.similar(exactText(similarity)),
  ].join('; ');
}

/** What figures of a result are drawn from. */
export interface FigureOptions {
  readonly typesetter: Typesetter;
  readonly content: Content;
  /** Without headline and facts, for a page that has them already. */
  readonly isBare?: boolean;
}

/** Around everything in a figure, points. */
const MARGIN = 24;

/** A figure for print: the headline, what `draw` adds, and the facts that a reader needs to trust it. */
export function framed(
  kind: Parameters<typeof titleOf>[0],
  { typesetter, content, isBare = false }: FigureOptions,
  draw: (page: FigurePage) => void,
): VectorFigure {
  const page = createFigurePage(typesetter, { width: FIGURE_WIDTH, margin: isBare ? 0 : MARGIN });
  if (!isBare) {
    page.text(content.lead, FACES.lead);
    page.gap(4);
    page.text(content.detail, FACES.body, { colour: COLOURS.inkSoft });
    page.gap(14);
  }
  if (content.partial) {
    page.text(content.partial, FACES.strong);
    page.gap(8);
  }
  draw(page);
  if (!isBare) addFacts(page, kind === 'heat' ? content.facts : [promptFact(content), ...content.facts]);
  return page.figure(titleOf(kind, content));
}

/** Least distance from the start of a fact's name to its text, points. */
const FACT_INDENT = 76;
/** Between the longest name and the texts, points. */
const FACT_GAP = 8;
/** Most lines of a fact: a prompt can be long. */
const FACT_LINES = 6;

function addFacts(page: FigurePage, facts: readonly Fact[]): void {
  const { typesetter, width } = page;
  page.gap(12);
  page.add([{ kind: 'box', left: 0, top: 0, width, height: 0.75, fill: COLOURS.line }], 8);
  const indent = Math.max(FACT_INDENT, ...facts.map(({ name }) => typesetter.width(name, FACES.strong) + FACT_GAP));
  const style = { face: FACES.strong, typesetter, colour: COLOURS.inkSoft };
  for (const { name, text } of facts) {
    page.add([label(name, { left: 0, baseline: typesetter.baseline(FACES.strong) }, style)], 0);
    page.text(text, FACES.small, { colour: COLOURS.inkSoft, indent, lines: FACT_LINES });
  }
}
