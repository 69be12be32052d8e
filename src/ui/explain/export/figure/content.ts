import { figuresWords } from '../../../../words/en/explain/figures.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { sectionsWords } from '../../../../words/en/explain/sections.ts';
import { numberText } from '../../../../words/numbers.ts';
import { VERSION } from '../../../../contract/description/version.ts';
import { requestFields } from '../../../../state/explain/export.ts';
import { NEUTRAL_NATS, type View, viewIn } from '../../../../state/explain/influence.ts';
import { hasEstimates, type Outcome } from '../../../../state/explain/outcome.ts';
import type { Recording } from '../../../../state/variations/recording.ts';
import { requestOf, type Settings } from '../../../../state/explain/question.ts';
import { captionOf } from '../../result/head/caption.ts';
import { natsText, quoted, timesFactor } from '../../texts.ts';
import { controlsText, settingsText } from './settings-text.ts';

/** What is exported. */
export interface Source {
  readonly outcome: Outcome;
  /** The part of the target that the page shows. */
  readonly view: View;
  /** Name of the model that was asked. */
  readonly model: string;
  /** For a record; left out: none can be made. */
  readonly recording?: Recording;
}

/** A line below a figure. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** What stands around every figure. */
export interface Content extends Source {
  /** The page's own headline. */
  readonly lead: string;
  readonly detail: string;
  /** That sections are missing; null when none are. */
  readonly partial: string | null;
  readonly facts: readonly Fact[];
}

/** What made the figure. */
export const MADE_WITH = `Lightwell ${VERSION}`;

/** The words around a figure of a result. */
export function contentOf(source: Source): Content {
  const { outcome } = source;
  const { influence, modelVersion } = outcome;
  const view = viewIn(influence, source.view);
  const words = figuresWords();
  const isPartial = modelVersion === null;
  const { lead, detail } = captionOf(outcome, view);
  return {
    ...source,
    view,
    lead: isPartial ? `${resultWords().soFar} ${lead}` : lead,
    detail,
    partial: isPartial ? words.partial : null,
    facts: factsOf({ ...source, view }),
  };
}

function factsOf({ outcome, model, view }: Source): Fact[] {
  const { facts: names } = figuresWords();
  const { influence, modelVersion, question } = outcome;
  const controls = controlsText(requestOf(question, model).prompt);
  return [
    { name: names.target, text: whole(question.target) },
    ...(view === 'whole' ? [] : [{ name: names.view, text: whole(influence.targets[view] ?? '') }]),
    { name: names.model, text: modelText(model, modelVersion) },
    { name: names.settings, text: settingsText(question.settings, requestFields(outcome, model)) },
    ...(controls === null ? [] : [{ name: names.attention, text: controls }]),
    { name: names.scores, text: scoresText(question.settings) },
    ...(hasEstimates(outcome) ? [{ name: names.estimates, text: estimatesText(outcome) }] : []),
  ];
}

function estimatesText({ influence: { sections } }: Outcome): string {
  const estimated = sections.filter(({ margins }) => margins).length;
  return figuresWords().estimates(numberText(estimated), numberText(sections.length));
}

/** A score in a figure; that of an estimate says so. */
export function scoreLabel(score: number, margin: number | null): string {
  return margin === null ? natsText(score) : `≈ ${natsText(score)}`;
}

/** The prompt as a line below figures that do not show it. */
export function promptFact({ outcome: { question } }: Source): Fact {
  const words = figuresWords();
  const name = words.facts.prompt;
  const picture = question.picture && words.picture(question.picture.name);
  if (question.prompt === '') return { name, text: picture ?? '' };
  const text = whole(question.prompt);
  return { name, text: picture === null ? text : words.pictureAndText(picture, text) };
}

/** Above a long list that was cut, or null. */
export function cutText(shown: number, all: number): string | null {
  return shown < all ? figuresWords().cut(numberText(shown), numberText(all)) : null;
}

/** Such as ` Paris` in quotation marks, white space and all. */
function whole(text: string): string {
  return sectionsWords().phrase.text(text);
}

function modelText(model: string, version: string | null): string {
  const words = figuresWords();
  const named = version === null || version.includes(model) ? version : words.version(model, version);
  return words.drawnWith(named ?? model, MADE_WITH);
}

function scoresText({ factor }: Settings): string {
  const words = figuresWords();
  return (factor > 1 ? words.scoresFall : words.scoresRise)(timesFactor(factor), numberText(NEUTRAL_NATS));
}

/** Name of a figure for people who do not see it. */
export function titleOf(kind: 'heat' | 'bars' | 'matrix', { lead, outcome }: Content): string {
  return figuresWords().titles[kind](quoted(outcome.question.target), lead);
}
