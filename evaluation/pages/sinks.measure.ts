import type { Page } from '@playwright/test';
import { type Client, createClient } from '../../src/client/client.ts';
import { rankCorrelation } from '../../src/client/faithfulness/measures.ts';
import type { ExplainResponse } from '../../src/contract/explain.ts';
import { calibrate } from '../../src/explanations/calibration.ts';
import { rankedIn, type TextSection } from '../../src/explanations/influence.ts';
import { outcomeOf } from '../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, explainRequestOf, type Question } from '../../src/explanations/question.ts';
import { lossAfter, mayBeSink } from '../../src/explanations/sinks.ts';
import { call } from '../../test/e2e/calls.ts';
import { test } from '../../test/e2e/fixture.ts';
import { type AnsweredPrompt, everydayPrompts, promptOfPassage } from '../data/answered-prompts.ts';
import { shortPassages } from '../data/squad.ts';
import { openRecords } from '../driver/records.mjs';
import { agreementTables, CALIBRATION, type Judged, type StrongWord } from '../measures/ranking/deletion-agreement.ts';
import { sampleOf } from '../measures/sample.ts';
import { isThere, MODELS, networkOf } from '../models/real-models.ts';
import { keyOf } from '../sets/budget/found.ts';
import { valueOf } from '../value-of.ts';
import { squadRows } from './squad-passages.ts';

const PASSAGES = 60;
/** Of a passage with its question and answer; longer ones cost more than they tell. */
const MAX_WORDS = 80;

/** How attention to a word is scaled, by name: what a calibration chooses from. */
const SETTINGS = {
  'log-additive 0': { logAdditive: true, factor: 0 },
  'multiplicative 0.1': { logAdditive: false, factor: 0.1 },
} as const;

/** Words with the greatest scores of which more is measured. */
const STRONGEST = 3;

/** One for each word. */
const MOST_DELETIONS = 1024;

/** `SAMPLE` of the environment: prompts of each set at most. */
const sample = process.env['SAMPLE'] === undefined ? undefined : Number(process.env['SAMPLE']);

/** `RECORDS` of the environment: the file of what was measured, from which a later run goes on. */
const records = openRecords(process.env['RECORDS'] ?? null);

const BY_WORD = { tokenize: (text: string) => ({ ids: text.split(/\s+/) }) };
const SETS = {
  everyday: everydayPrompts,
  passages: () => shortPassages(squadRows(), BY_WORD, PASSAGES, MAX_WORDS).map(promptOfPassage),
};

for (const model of MODELS)
  test(model, async ({ freshApp: page }) => {
    test.skip(!isThere(model), `npm test -- real ${model} makes its folder`);
    const client = clientOf(page);
    const [evaluation, network] = [`sinks ${model}`, await networkOf(model)];
    const keep = async (key: string, measure: () => Promise<unknown>) => {
      if (records.of(evaluation, network).some((line) => line.key === key)) return;
      records.keep({ evaluation, key, value: await measure() }, network);
      console.log(`${model}: ${key}`);
    };
    await keep(CALIBRATION, () => calibrate(client, { name: model, state: 0 }, new AbortController().signal));
    for (const [set, prompts] of Object.entries(SETS))
      for (const [at, prompt] of sampleOf([...prompts().entries()], sample))
        await keep(`${set} ${await keyOf(at, prompt.prompt)}`, () => judge(client, { model, set, ...prompt }));
    console.log(`\n${model}\n\n${agreementTables(records.of(evaluation, network))}`);
  });

interface Asked extends Pick<AnsweredPrompt, 'prompt' | 'target'> {
  readonly model: string;
  readonly set: string;
}

/** Scores of the words by every setting, and what deletion says. */
async function judge(client: Client, { model, set, prompt, target }: Asked): Promise<Judged> {
  const body = { model, prompt, target, prompt_granularity: { type: 'word' } } as const;
  const losses = lossesIn(await valueOf(client.explain({ ...body, method: 'deletion', max_requests: MOST_DELETIONS })));
  const found: Record<string, Judged['found'][string]> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const question: Question = {
      picture: null,
      prompt,
      target,
      settings: { ...DEFAULT_QUESTION_SETTINGS, ...setting },
    };
    const { explanations } = await valueOf(client.explain(explainRequestOf(question, model)));
    const sections = outcomeOf(question, explanations, '', null).influence.prompt;
    const strongest: StrongWord[] = [];
    for (const section of rankedIn(sections, 'whole').slice(0, STRONGEST))
      strongest.push(await strongWord(section, { at: sections.indexOf(section), losses, question, client, model }));
    const correlation = rankCorrelation(
      sections.map(({ total }) => total),
      losses,
    );
    found[name] = { correlation: Number.isFinite(correlation) ? correlation : null, strongest };
  }
  return { set, best: losses.indexOf(Math.max(...losses)), found };
}

interface Place {
  readonly at: number;
  readonly losses: readonly number[];
  readonly question: Question;
  readonly client: Client;
  readonly model: string;
}

async function strongWord(section: TextSection, { at, losses, question, ...source }: Place): Promise<StrongWord> {
  const { text, total: score } = section;
  const after = mayBeSink(section, at === 0) && { lossAfter: await lossAfter(section, question, source) };
  return { at, text, score, loss: losses[at] ?? NaN, ...after };
}

function lossesIn({ explanations }: ExplainResponse): number[] {
  const item = explanations[0]?.items[0];
  if (item?.type !== 'text') throw new RangeError(`expected scores of a text, got ${item?.type ?? 'nothing'}`);
  return item.scores.map(({ score }) => score);
}

/** A client of the API in a page. */
function clientOf(page: Page): Client {
  return createClient({
    baseUrl: 'http://page',
    token: '',
    async fetch(request) {
      const { status, body } = await call<unknown>(page, new URL(request.url).pathname, await request.text());
      return Response.json(body, { status });
    },
  });
}
