import { findTarget } from '../../../client/ask.ts';
import type { CallOptions } from '../../../client/client.ts';
import { codePointMap } from '../../../contract/code-points.ts';
import type { ExplanationItem } from '../../../contract/explain.ts';
import { influenceOf, type Influence, type Section, type TextSection } from '../../../explanations/influence.ts';
import { isModelChoice, modelAnswerOf, type Outcome } from '../../../explanations/outcome.ts';
import { explainRequestOf } from '../../../explanations/question.ts';
import { spacedWords, targetWords } from '../../../explanations/segmentation.ts';
import { memoized } from '../../../stores/memoized.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ExplainSource } from '../explain-store.ts';
import { createVariationRun, type VariationPhase, type VariationRun } from './variations-store.ts';

/** Why the target and not the foil. */
export interface FoilContrast {
  /** As many of the target's first words as the foil has: the next word is compared with the next word. */
  readonly target: string;
  readonly foil: string;
  /** Support for the target minus support for the foil, as influence on one word. */
  readonly difference: Influence;
  /** Support for the foil, nats, by the id of the section. */
  readonly ofFoil: ReadonlyMap<string, number>;
}

/** The target of an outcome beside another text. */
interface ContrastState extends VariationRun<FoilContrast> {
  readonly foil: string;
  edit(foil: string): void;
}

/** The one store of a complete outcome. The first foil is the beginning of the model's own answer, if that differs. */
export const contrastStoreOf = memoized((outcome: Outcome, source: ExplainSource): StoreApi<ContrastState> =>
  createStore<ContrastState>((set, get) => ({
    ...createVariationRun<FoilContrast>(set, (call) => requestContrast(outcome, get().foil, source, call)),
    foil: firstFoil(outcome),
    edit: (foil) => set({ foil }),
  })),
);

function firstFoil({ prediction, question: { target } }: Outcome): string {
  if (!prediction || isModelChoice(prediction)) return '';
  const { text, isBroken } = modelAnswerOf(prediction);
  const foil = firstWords(text, spacedWords(target));
  return isBroken || foil.trim() === target.trim() ? '' : foil;
}

/** The first `count` words between spaces, with the space before them; the whole text if it has no more. */
function firstWords(text: string, count: number): string {
  const words = [...text.matchAll(/\s*\S+/g)].slice(0, count);
  return count < spacedWords(text) ? words.join('') : text;
}

const MAX_SUGGESTED = 3;

/**
 * Words that the model finds likeliest after its own choice in place of the target's first word, with their leading spaces. Where
 * that word has several tokens, others have too, and their first tokens are not words.
 */
export function suggestedFoils({ prediction, question }: Outcome): string[] {
  const tokensOfTarget = prediction?.target?.tokens ?? [];
  const [first] = tokensOfTarget;
  const words = targetWords(
    tokensOfTarget.map(({ token }) => token),
    question.target,
  );
  if (words[0]?.count !== 1) return [];
  const isOther = (token: string) => /^ \p{L}{3,}$/u.test(token) && !question.target.startsWith(token);
  const tokens = (first?.alternatives ?? []).map(({ token }) => token);
  return tokens.filter(isOther).slice(0, MAX_SUGGESTED);
}

/** Whether a section belongs to the label at the end of the prompt, such as `Sentiment:`, which asks for an answer. */
export function isAskingLabel(section: Section, prompt: string): boolean {
  return section.part === 'prompt' && /^[^\n:]*:\s*$/.test(restFrom(section, prompt));
}

/** Whether a section is a label at the beginning of a line, such as `Review:`, or only punctuation. */
export function isLabelOrMark(section: Section, prompt: string): boolean {
  if (section.part !== 'prompt') return false;
  return !/[\p{L}\p{N}]/u.test(section.text) || /^[^\n:.]{1,40}:/.test(restFrom(section, prompt));
}

function restFrom(section: TextSection, prompt: string): string {
  return prompt.slice(codePointMap(prompt).toUtf16(section).start);
}

async function requestContrast(
  { question, modelVersion }: Outcome,
  asked: string,
  { client, model }: ExplainSource,
  call: CallOptions,
): Promise<VariationPhase<FoilContrast>> {
  const request = explainRequestOf(question, model);
  const signal = { ...(call.signal && { signal: call.signal }) };
  const found = await findTarget(client, { model, prompt: request.prompt, target: asked }, signal);
  if (!found.ok) return { kind: 'failed', problem: found.problem };
  const { target: foil } = found.value;
  const target = firstWords(question.target, spacedWords(foil));
  const response = await client.explain({ ...request, target, target_granularity: 'complete', foil }, call);
  if (!response.ok) return { kind: 'failed', problem: response.problem };
  const { contrast, model_version: version } = response.value;
  if (version !== modelVersion) return { kind: 'other model', modelVersion: version };
  if (!contrast) throw new TypeError('the service answered without a contrast');
  const { prompt, settings } = question;
  const influenceIn = (items: ExplanationItem[]) =>
    influenceOf([{ target, items }], { prompt, target, isStrengthened: settings.factor > 1 });
  const ofFoil = new Map(influenceIn(contrast.foil_items).sections.map(({ id, total }) => [id, total]));
  return { kind: 'done', value: { target, foil, difference: influenceIn(contrast.items), ofFoil } };
}
