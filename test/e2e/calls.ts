import type { Page } from '@playwright/test';
import type { EmbedResponse } from '../../src/contract/embed.ts';
import type { ExplainResponse } from '../../src/contract/explain.ts';
import type { ErrorBody } from '../../src/contract/prompt.ts';

/** The model that comes with the page. */
export const MODEL = 'lightwell-base';

/** How a call differs from the usual one: `POST`, with the page's own token. */
export interface CallOptions {
  readonly method?: string;
  /** null sends no `Authorization` at all. */
  readonly token?: string | null;
}

/** An answer. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Ask the router in the page.
 *
 * @param body  an object is sent as JSON, a string as it is, undefined not at all
 */
export function call<Body = ErrorBody>(
  page: Page,
  path: string,
  body?: unknown,
  { method = 'POST', token }: CallOptions = {},
): Promise<Answer<Body>> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return page.evaluate(
    async ([url, init, bearer]) => {
      const credentials = bearer === undefined ? lightwell.token : bearer;
      const headers = new Headers({ 'Content-Type': 'application/json' });
      if (credentials !== null) headers.set('Authorization', `Bearer ${credentials}`);
      const response = await lightwell.fetch(url, { ...init, headers });
      return { status: response.status, body: await response.json() };
    },
    [path, typeof text === 'string' ? { method, body: text } : { method }, token] as const,
  );
}

/** Asks the API. @throws {Error} when it refuses */
export async function answerOf<Body>(page: Page, path: string, body: object): Promise<Body> {
  const answer = await call<Body>(page, path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** `POST /embed` of a text, or of a prompt with more to it. */
export function embed(page: Page, prompt: string, more: object = {}): Promise<Answer<EmbedResponse>> {
  return call(page, '/embed', { model: MODEL, prompt, ...more });
}

/** `POST /explain` by tokens of the prompt. */
export function explain(
  page: Page,
  prompt: string,
  target: string,
  more: object = {},
): Promise<Answer<ExplainResponse>> {
  return call(page, '/explain', { model: MODEL, prompt, target, prompt_granularity: { type: 'token' }, ...more });
}

/** All scores of the first text item of an explanation, one list per explained target. */
export function scoresOf({ explanations }: ExplainResponse): number[][] {
  return explanations.map(({ items }) => {
    const [first] = items;
    return first?.type === 'text' ? first.scores.map(({ score }) => score) : [];
  });
}

const SENTENCE =
  'The old lighthouse keeper walked down to the harbour and counted the boats before the storm came in. ';

/**
 * A text of exactly so many tokens: a long one is cut at a token, then adjusted until the model counts as asked.
 *
 * @throws {Error} when no cut gives the number
 */
export async function textOfTokens(page: Page, tokenCount: number): Promise<string> {
  const { body } = await embed(page, SENTENCE.repeat(Math.ceil(tokenCount / 10)).slice(0, tokenCount * 5), {
    tokens: true,
  });
  const pieces = body.tokens ?? [];
  for (const extra of [0, 1, -1, 2, -2, 3]) {
    const text = pieces
      .slice(0, tokenCount + extra)
      .join('')
      .trim();
    const counted = await embed(page, text);
    if (counted.body.num_tokens_prompt_total === tokenCount) return text;
  }
  throw new Error(`no text of ${tokenCount} tokens found among ${pieces.length} pieces`);
}
