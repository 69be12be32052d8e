import type { Page } from '@playwright/test';
import { type Client, createClient } from '../../src/client/client.ts';
import type { ExplainResponse } from '../../src/contract/explain.ts';
import { calibrate } from '../../src/explanations/calibration.ts';
import { rankedIn } from '../../src/explanations/influence.ts';
import { outcomeOf } from '../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, explainRequestOf, type Question } from '../../src/explanations/question.ts';
import { sinkIn } from '../../src/explanations/sinks.ts';
import { call } from '../../test/e2e/calls.ts';
import { test } from '../../test/e2e/fixture.ts';
import { type AnsweredPrompt, everydayPrompts, promptOfPassage } from '../data/answered-prompts.ts';
import { shortPassages } from '../data/squad.ts';
import { sampleOf } from '../measures/sample.ts';
import { squadRows } from './squad-passages.ts';
import { valueOf } from '../value-of.ts';
import { type Judged, tableOf } from '../measures/ranking/deletion-agreement.ts';
import { isThere, MODELS } from '../models/real-models.ts';

const PASSAGES = 60;
/** Of a passage with its question; longer ones cost more than they tell. */
const MAX_WORDS = 120;

/** How attention to a word is scaled, by name. */
const SETTINGS = {
  'log-additive 0': { logAdditive: true, factor: 0 },
  'log-additive 0.01': { logAdditive: true, factor: 0.01 },
  'log-additive 0.1': { logAdditive: true, factor: 0.1 },
  'multiplicative 0.1': { logAdditive: false, factor: 0.1 },
} as const;

/** One for each word. */
const MOST_DELETIONS = 1024;

/** `SAMPLE` of the environment: prompts of each set at most. */
const sample = process.env['SAMPLE'] === undefined ? undefined : Number(process.env['SAMPLE']);

const BY_WORD = { tokenize: (text: string) => ({ ids: text.split(/\s+/) }) };
const SETS = {
  everyday: everydayPrompts,
  passages: () => shortPassages(squadRows(), BY_WORD, PASSAGES, MAX_WORDS).map(promptOfPassage),
};

for (const model of MODELS)
  for (const [set, prompts] of Object.entries(SETS))
    test(`${set}, ${model}`, async ({ freshApp: page }) => {
      test.skip(!isThere(model), `npm test -- real ${model} makes its folder`);
      const calibration = await calibrate(clientOf(page), model, new AbortController().signal);
      console.log(`calibration of ${model}: ${JSON.stringify(calibration)}`);
      const judged = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, [] as Judged[]]));
      for (const [at, prompt] of sampleOf(prompts(), sample).entries()) {
        const found = await judge(page, model, prompt);
        for (const [name, each] of Object.entries(found)) judged[name]?.push(each);
        console.log(`${set}, ${model}: ${at + 1} prompts`);
      }
      console.log(`\n${tableOf(`${set}, ${model}`, judged)}`);
    });

/** Scores of the words by every setting, and what deletion and the page's headline say. */
async function judge(
  page: Page,
  model: string,
  { prompt, target }: AnsweredPrompt,
): Promise<Readonly<Record<string, Judged>>> {
  const client = clientOf(page);
  const body = { model, prompt, target, prompt_granularity: { type: 'word' } } as const;
  const deleted = await valueOf(client.explain({ ...body, method: 'deletion', max_requests: MOST_DELETIONS }));
  const prediction = await valueOf(client.predict({ model, prompt, target, maximum_tokens: 0 }));
  const judged: Record<string, Judged> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const settings = { ...DEFAULT_QUESTION_SETTINGS, ...setting };
    const question: Question = { picture: null, prompt, target, settings };
    const { explanations, model_version: version } = await valueOf(client.explain(explainRequestOf(question, model)));
    const outcome = outcomeOf(question, explanations, version, prediction);
    const sections = outcome.influence.prompt;
    const sink = await sinkIn(outcome, { client, model });
    const next = sink && rankedIn(sections, 'whole').find(({ id }) => id !== sink.id);
    judged[name] = {
      scores: sections.map(({ total }) => total),
      losses: lossesIn(deleted),
      named: next ? sections.indexOf(next) : null,
    };
  }
  return judged;
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
