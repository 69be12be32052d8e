import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Browser, Page } from 'playwright';
import type { CompletionsResponse } from '../../src/contract/openai.ts';
import { call, MODEL } from '../../test/e2e/calls.ts';
import { SCHEMAS } from '../../test/support/json/schemas.ts';
import { openApp, type Rows } from '../app.ts';
import { quantile } from '../kills/kills.ts';

/** Enough for every schema. */
const MAX_TOKENS = 300;

const prompt = 'A table at the harbour, for four people, at seven.\nThe same in JSON: ';

/**
 * Answers in JSON of many schemas, greedy and sampled: how many are valid, and the time for each token beside answers in any form of as
 * many tokens, in turn. An answer that the limit ends is counted apart.
 */
export async function jsonAnswers(browser: Browser, url: string, rounds: number): Promise<Rows> {
  const page = await browser.newPage();
  await openApp(page, url);
  await answer(page, { max_tokens: 8 }); // loads the model
  const rows: Record<string, string | number>[] = [];
  for (const [sampling, settings] of Object.entries({ greedy: { temperature: 0 }, sampled: { temperature: 1.5 } })) {
    const measured = [];
    for (const schema of Object.values(SCHEMAS))
      for (let seed = 0; seed < rounds; seed++) measured.push(await pair(page, schema, { ...settings, seed }));
    const ended = measured.filter(({ isCut }) => !isCut);
    const ratios = ended.flatMap(({ ratio }) => (ratio === null ? [] : [ratio])).toSorted((a, b) => a - b);
    rows.push({
      sampling,
      answers: measured.length,
      cut: measured.length - ended.length,
      valid: ended.filter(({ isValid }) => isValid).length,
      compared: ratios.length,
      medianRatio: quantile(ratios, 0.5),
      p90Ratio: quantile(ratios, 0.9),
      ratioOfSums: sum(ended.map(({ ms }) => ms)) / sum(ended.map(({ freeMs }) => freeMs)),
    });
  }
  await page.close();
  return rows;
}

const ajv = addFormats.default(new Ajv2020({ strict: false }));

/** An answer in JSON, and one of as many tokens in any form. The ratio is null where that ended earlier. */
async function pair(page: Page, schema: object, settings: object) {
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
  const own = await answer(page, { ...settings, max_tokens: MAX_TOKENS, response_format: format });
  const isCut = own.reason === 'length';
  const free = await answer(page, { ...settings, max_tokens: own.tokens });
  const isSame = free.tokens === own.tokens;
  return {
    isCut,
    isValid: !isCut && ajv.validate(schema, JSON.parse(own.text)),
    ms: isSame ? own.ms : 0,
    freeMs: isSame ? free.ms : 0,
    ratio: isSame ? own.ms / free.ms : null,
  };
}

async function answer(page: Page, settings: object) {
  const startedMs = performance.now();
  const { status, body } = await call<CompletionsResponse>(page, '/v1/completions', {
    model: MODEL,
    prompt,
    ...settings,
  });
  const ms = performance.now() - startedMs;
  const [choice] = status === 200 ? body.choices : [];
  if (!choice) throw new Error(`expected an answer, got ${status}: ${JSON.stringify(body)}`);
  return { ms, tokens: body.usage.completion_tokens, text: choice.text, reason: choice.finish_reason };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
