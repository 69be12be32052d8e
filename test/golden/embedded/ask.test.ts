import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import prompts from '../../../evaluation/data/newcomer-prompts.json' with { type: 'json' };
import { contradictsItself, type NewcomerPrompt } from '../../../evaluation/sets/newcomers.ts';
import { ask } from '../../../src/client/ask.ts';
import { createClient } from '../../../src/client/client.ts';
import { requestExplanation } from '../../../src/explanations/request.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';
import { operationsFor } from '../../../src/pages/api/snippets.ts';
import type { ExplainBody, ExplainResponse } from '../../../src/contract/explain.ts';
import { createPage } from '../../support/fakes/page.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place } from '../../support/onnx/place.ts';

const MODEL = 'lightwell-base';

/** Kinds of prompts that are tried here; `npm run evaluate -- --only newcomers` tries them all. */
const TRIED = 12;

/** Tokens of a target add up to the whole in another order, nats. */
const ROUNDING = 1e-3;

async function setUp() {
  const service = createPage({ model: await openEmbeddedModel(), timeoutMs: 300_000 }).router;
  return { service, client: createClient(service) };
}

type Client = Awaited<ReturnType<typeof setUp>>['client'];

/** What the Explain page shows. @param target  empty: the model's own answer */
async function onPage(client: Client, prompt: string, target = '') {
  const question = { picture: null, prompt, target, settings: DEFAULT_QUESTION_SETTINGS };
  const answer = await requestExplanation(client, question, { model: MODEL, upstream: null });
  if (!answer.ok) throw new Error(answer.problem.message);
  return answer.value;
}

function scoresIn({ explanations }: ExplainResponse): number[] {
  const [item] = explanations[0]?.items ?? [];
  return item?.type === 'text' ? item.scores.map(({ score }) => score) : [];
}

/** Code in a text, without its imports. */
function codeIn(text: string, fence: RegExp): string {
  const code = fence.exec(text)?.[1];
  if (code === undefined) throw new RangeError(`expected code between ${fence}, got none`);
  return code.replaceAll(/^\s*import .*$/gm, '');
}

// The numbers do not depend on the place; one place, the fastest to start, is enough.
describe.runIf(place.backend === 'wasm' && !place.browser)('asking the embedded model', () => {
  it.each([
    ['README.md', /```ts\n(import \{ createService[\s\S]*?)```/],
    ['examples/page/index.html', /<script type="module">([\s\S]*?)<\/script>/],
    ['examples/vite-app/main.ts', /([\s\S]*)/],
  ])('gives the same numbers on the Explain page and in %s', async (file, fence) => {
    const { service, client } = await setUp();
    const code = codeIn(await readFile(`${place.root}/${file}`, 'utf8'), fence);
    const asked: unknown[] = [];
    const recorded: typeof ask = async (of, body, options) => {
      const answer = await ask(of, body, options);
      asked.push(body, answer);
      return answer;
    };
    const scope = {
      createService: () => service,
      createClient,
      ask: recorded,
      document: { getElementById: () => null },
      result: {},
    };
    const run = new Function(...Object.keys(scope), `return (async () => {${code}})()`);
    await run(...Object.values(scope));
    const [body, answer] = asked as [{ prompt: string }, Awaited<ReturnType<typeof ask>>];
    if (!answer.ok) throw new Error(answer.problem.message);
    const { influence, question } = await onPage(client, body.prompt);
    expect(answer.value.target).toBe(question.target);
    expectSame(scoresIn(answer.value), influence.prompt);
  });

  it('gives the same numbers on the Explain page and on the API page', async () => {
    const { client } = await setUp();
    const body = operationsFor(MODEL, 0.1).explain.example as ExplainBody;
    const answer = await client.explain(body);
    if (!answer.ok) throw new Error(answer.problem.message);
    const { influence } = await onPage(client, String(body.prompt), body.target);
    expectSame(scoresIn(answer.value), influence.prompt);
  });

  it('never says that it does not expect what it says', async () => {
    const { client } = await setUp();
    const every = Math.floor(prompts.length / TRIED);
    const tried: readonly NewcomerPrompt[] = prompts.filter((_, at) => at % every === 0);
    for (const { prompt, target } of tried)
      for (const each of target === undefined ? [''] : ['', target])
        expect(contradictsItself(await onPage(client, prompt, each)), `${prompt} → ${each}`).toBe(false);
  });
});

function expectSame(scores: readonly number[], sections: readonly { readonly total: number }[]): void {
  expect(scores.length).toBeGreaterThan(8);
  expect(scores).toHaveLength(sections.length);
  for (const [at, score] of scores.entries())
    expect(Math.abs(score - (sections[at]?.total ?? NaN)), `section ${at}`).toBeLessThan(ROUNDING);
}
