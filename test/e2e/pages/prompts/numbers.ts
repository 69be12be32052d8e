import { expect, type Page } from '@playwright/test';
import type { ExplainResponse } from '../../../../src/contract/explain.ts';
import type { EvaluateResponse, PredictResponse } from '../../../../src/contract/likelihood.ts';
import { DEFAULT_QUESTION_SETTINGS, explainRequestOf, type Question } from '../../../../src/explanations/question.ts';
import { call, MODEL } from '../../calls.ts';
import type { AskedPrompt } from './questions.ts';

/** A section by the service: positive supports the target. */
export interface Scored {
  /** Code points of the prompt. */
  readonly start: number;
  readonly length: number;
  /** In whole characters. */
  readonly text: string;
  /** Where these characters begin, code points. */
  readonly place: number;
  /** Nats, the sum over the target's tokens. */
  readonly total: number;
}

/** What the service itself says of a question, asked by the test. */
export interface Numbers {
  readonly sections: readonly Scored[];
  /** Of the target, nats. */
  readonly logProbability: number;
  /** Each token of the target is the likeliest. */
  readonly isGreedy: boolean;
  readonly predicted: PredictResponse;
}

/** The question as the page keeps it. */
export function questionOf({ prompt, target, settings = {} }: AskedPrompt): Question {
  return {
    picture: null,
    prompt,
    target,
    settings: { ...DEFAULT_QUESTION_SETTINGS, isTargetExact: true, ...settings },
  };
}

/** The page's newest explanation: its request, and the service's whole answer. */
export type Heard = () => Promise<{ readonly request: unknown; readonly response: ExplainResponse }>;

/** Listens, from now on, to what the page asks the service to explain. */
export async function hearExplanations(page: Page): Promise<Heard> {
  const heard = await page.evaluateHandle(() => {
    const { fetch } = lightwell;
    const newest = { request: Promise.resolve(''), response: Promise.resolve('') };
    lightwell.fetch = async (input, init) => {
      const isExplain = input instanceof Request && input.url.endsWith('/explain');
      if (isExplain) newest.request = input.clone().text();
      const response = await fetch(input, init);
      if (isExplain) newest.response = response.clone().text();
      return response;
    };
    return newest;
  });
  return async () => {
    const [request, lines] = await heard.evaluate(({ request: sent, response }) => Promise.all([sent, response]));
    const last = lines.trimEnd().split('\n').at(-1) ?? '';
    return { request: JSON.parse(request), response: JSON.parse(last).response };
  };
}

/** What the service has said to the page, and what it says to the test. */
export async function numbersOf(page: Page, asked: AskedPrompt, heard: Heard): Promise<Numbers> {
  const { prompt, target } = asked;
  const question = questionOf(asked);
  const request = explainRequestOf(question, MODEL);
  const { request: sent, response } = await heard();
  expect(sent).toEqual(request);
  const shared = { model: MODEL, prompt, control_log_additive: request.control_log_additive };
  const evaluated = await call<EvaluateResponse>(page, '/evaluate', { ...shared, completion_expected: target });
  const predicted = await call<PredictResponse>(page, '/predict', { ...shared, target, maximum_tokens: 16 });
  expect([evaluated.status, predicted.status]).toEqual([200, 200]);
  const { log_probability: logProbability, correct_greedy: isGreedy = false } = evaluated.body.result;
  expect(predicted.body.target?.log_probability).toBeCloseTo(logProbability, 3);
  const sections = totalsOf(response, prompt, question.settings.factor > 1 ? -1 : 1);
  return { sections, logProbability, isGreedy, predicted: predicted.body };
}

function totalsOf({ explanations }: ExplainResponse, prompt: string, sign: 1 | -1): Scored[] {
  const characters = [...prompt];
  const totals = new Map<string, Scored>();
  for (const { items } of explanations) {
    const [first] = items;
    if (first?.type !== 'text') throw new RangeError(`expected scores of a text, got ${first?.type ?? 'nothing'}`);
    for (const { start, length, score } of first.scores) {
      const key = `${start} ${length}`;
      totals.set(key, {
        start,
        length,
        ...wholeCharacters(characters, start, length),
        total: (totals.get(key)?.total ?? 0) + sign * score,
      });
    }
  }
  return [...totals.values()];
}

/** What a reader sees of a span that begins or ends within a character. */
function wholeCharacters(
  codePoints: readonly string[],
  start: number,
  length: number,
): { text: string; place: number } {
  let at = 0;
  let text = '';
  let place = start;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(codePoints.join(''))) {
    const end = at + [...segment].length;
    if (end > start && at < start + length) {
      if (text === '') place = at;
      text += segment;
    }
    at = end;
  }
  return { text, place };
}
