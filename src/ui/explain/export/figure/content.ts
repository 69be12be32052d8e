import { VERSION } from '../../../../contract/description/version.ts';
import { requestFields } from '../../../../state/explain/export.ts';
import { NEUTRAL_NATS, type View, viewIn } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { requestOf, type Settings } from '../../../../state/explain/question.ts';
import { captionOf } from '../../result/head/caption.ts';
import { nameOf } from '../../texts.ts';
import { controlsText, settingsText } from './settings-text.ts';

/** What is exported. */
export interface Source {
  readonly outcome: Outcome;
  /** The part of the target that the page shows. */
  readonly view: View;
  /** Name of the model that was asked. */
  readonly model: string;
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
  const { outcome, model } = source;
  const { influence, modelVersion, question } = outcome;
  const view = viewIn(influence, source.view);
  const isPartial = modelVersion === null;
  const controls = controlsText(requestOf(question, model).prompt);
  const { lead, detail } = captionOf(outcome, view);
  return {
    ...source,
    view,
    lead: isPartial ? `So far: ${lead}` : lead,
    detail,
    partial: isPartial ? 'Partial result: not all sections were explained.' : null,
    facts: [
      { name: 'Target', text: quoted(question.target) },
      ...(view === 'whole' ? [] : [{ name: 'Influence on', text: quoted(influence.targets[view] ?? '') }]),
      { name: 'Model', text: modelText(model, modelVersion) },
      { name: 'Settings', text: settingsText(question.settings, requestFields(outcome, model)) },
      ...(controls === null ? [] : [{ name: 'Attention', text: controls }]),
      { name: 'Scores', text: scoresText(question.settings) },
    ],
  };
}

/** The prompt as a line below figures that do not show it. */
export function promptFact({ outcome: { question } }: Source): Fact {
  const words = question.prompt === '' ? '' : quoted(question.prompt);
  const picture = question.picture ? `the picture ${question.picture.name}` : '';
  return { name: 'Prompt', text: [picture, words].filter((one) => one !== '').join(', then ') };
}

/** Above a long list that was cut, or null. */
export function cutText(shown: number, all: number): string | null {
  return shown < all ? `The strongest ${shown} of ${all} sections; the CSV file has them all.` : null;
}

/** Such as ` Paris` in quotation marks, white space and all. */
function quoted(text: string): string {
  return `‘${text}’`;
}

function modelText(model: string, version: string | null): string {
  const run = version === null ? '' : version.includes(model) ? version : `${model}, version ${version}`;
  return `${run === '' ? model : run}; drawn with ${MADE_WITH}`;
}

function scoresText({ factor }: Settings): string {
  const change = factor > 1 ? 'falls' : 'rises';
  return (
    `nats: how much the cross entropy of the target ${change} with the attention to a section × ${factor}. ` +
    `Positive supports the target, negative opposes it; below ${NEUTRAL_NATS} there is no colour.`
  );
}

/** Name of a figure for people who do not see it. */
export function titleOf(kind: string, { lead, outcome }: Content): string {
  return `${kind} of the influence on ‘${nameOf(outcome.question.target)}’. ${lead}`;
}
