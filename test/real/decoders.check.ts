import type { Page } from '@playwright/test';
import type { CompleteResponse } from '../../src/contract/complete.ts';
import type { ChatResponse } from '../../src/contract/openai.ts';
import type { ExplainResponse } from '../../src/contract/explain.ts';
import type { EvaluateResponse, PredictResponse } from '../../src/contract/likelihood.ts';
import { test } from '../e2e/fixture.ts';
import { answerOf } from '../e2e/calls.ts';
import { compareEqual, compareLayers, compareNumbers } from './compared.ts';
import { CASES, type DecoderReference, NAMES, referenceOf } from './references.ts';

const FORMULAS = ['additive', 'multiplicative'] as const;

for (const model of NAMES.filter((name) => !name.includes('MiniLM')))
  test(model, async ({ freshApp: page }) => {
    const reference = referenceOf<DecoderReference>(model);
    await compareLikelihoods(page, model, reference);
    await compareExplanations(page, model, reference);
    await compareTexts(page, model, reference);
    await comparePlaces(page, model, reference);
    if (reference.layers) await compareLayers(page, model, reference.layers);
  });

async function compareLikelihoods(page: Page, model: string, { likelihoods }: DecoderReference): Promise<void> {
  if (likelihoods === undefined) return;
  const targets: number[] = [];
  const best: number[][] = [];
  for (const { prompt, target } of CASES.likelihoods) {
    const rated = { model, prompt, completion_expected: target };
    targets.push((await answerOf<EvaluateResponse>(page, '/evaluate', rated)).result.log_probability);
    const body = { model, prompt, target, maximum_tokens: 0, alternatives: 5 };
    const tokens = (await answerOf<PredictResponse>(page, '/predict', body)).target?.tokens ?? [];
    best.push(...tokens.map(({ alternatives }) => alternatives.map((each) => each.log_probability)));
  }
  const wanted = likelihoods.map(({ target }) => target);
  compareNumbers(model, 'log-probability of targets', [targets], [wanted]);
  compareNumbers(
    model,
    'of the five likeliest tokens',
    best,
    likelihoods.flatMap((each) => each.best),
  );
}

async function compareExplanations(page: Page, model: string, { explained }: DecoderReference): Promise<void> {
  for (const formula of explained ? FORMULAS : []) {
    const scores: number[][] = [];
    for (const { prompt, target } of CASES.explained) {
      const setting = { control_log_additive: formula === 'additive', control_factor: 0.1 };
      const body = { model, prompt, target, prompt_granularity: { type: 'token' }, ...setting };
      scores.push(textScores(await answerOf<ExplainResponse>(page, '/explain', body)).map(({ score }) => score));
    }
    const wanted = (explained ?? []).map((each) => each[formula]);
    compareNumbers(model, `AtMan, ${formula}`, scores, wanted);
  }
}

function textScores({ explanations }: ExplainResponse) {
  const item = explanations[0]?.items[0];
  return item?.type === 'text' ? item.scores : [];
}

async function compareTexts(page: Page, model: string, { continued, dialogue }: DecoderReference): Promise<void> {
  if (continued === undefined) return;
  const texts: string[] = [];
  for (const prompt of CASES.continued) {
    const body = { model, prompt, maximum_tokens: CASES.written };
    texts.push((await answerOf<CompleteResponse>(page, '/complete', body)).completions[0]?.completion ?? '');
  }
  compareEqual(model, 'greedy texts', texts, continued);
  if (dialogue === undefined) return;
  const body = { model, messages: CASES.dialogue, maximum_tokens: CASES.written };
  const { choices } = await answerOf<ChatResponse>(page, '/chat/completions', body);
  compareEqual(model, 'dialogues', [choices[0]?.message.content], [dialogue]);
}

async function comparePlaces(page: Page, model: string, { places }: DecoderReference): Promise<void> {
  const found: unknown[] = [];
  for (const prompt of CASES.strings) {
    const body = { model, prompt, target: '.', prompt_granularity: { type: 'token' } };
    const scores = textScores(await answerOf<ExplainResponse>(page, '/explain', body));
    found.push(scores.map(({ start, length }) => [start, length]));
  }
  compareEqual(model, 'tokens and their places', found, places);
}
