import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A completions request, as the server reads it. */
export interface Asked {
  readonly prompt: string;
  readonly max_tokens: number;
  readonly echo?: boolean;
  readonly logprobs?: number;
  readonly prompt_logprobs?: number;
  readonly grammar?: string;
}

/** Tokens of a text: words with the spaces before them, and line breaks. */
export const tokensOf = (text: string): readonly string[] => text.match(/\n|[^\S\n]*\S+|[^\S\n]+/g) ?? [];

/** How likely the server's model finds a token after a text: likelier if the text has it already, by its place. */
export function logProbabilityAfter(before: string, token: string): number {
  const at = before.indexOf(token.trim());
  return at < 0 ? -6 : -1 - (at % 7) / 4;
}

/** Log-probability of a target after a prompt. */
export function likelihoodOf(prompt: string, target: string): number {
  return ratesOf(prompt + target)
    .slice(tokensOf(prompt).length)
    .reduce<number>((sum, rate) => sum + (rate ?? NaN), 0);
}

/** Log-probabilities of a text's tokens; the first follows nothing. */
export function ratesOf(text: string): (number | null)[] {
  const tokens = tokensOf(text);
  return tokens.map((token, at) => (at === 0 ? null : logProbabilityAfter(tokens.slice(0, at).join(''), token)));
}

/** The answer of a server that repeats the prompt with its log-probabilities, as OpenAI's does. */
export function echoed({ prompt, max_tokens: written }: Asked) {
  const generated = Array.from({ length: written }, () => ' more');
  const [tokens, rates] = [
    [...tokensOf(prompt), ...generated],
    [...ratesOf(prompt), ...generated.map(() => -0.5)],
  ];
  const logprobs = { tokens, token_logprobs: rates };
  return {
    choices: [{ text: prompt + generated.join(''), logprobs, finish_reason: 'length' }],
    usage: { prompt_tokens: tokens.length - written, completion_tokens: written },
  };
}

/** The answer of a server that continues a prompt with one word, and then ends the text. */
export function continued({ prompt }: Asked, word: string) {
  return {
    choices: [{ text: word, logprobs: { tokens: [word], token_logprobs: [-0.5] }, finish_reason: 'stop' }],
    usage: { prompt_tokens: tokensOf(prompt).length, completion_tokens: 2 },
  };
}

/** The answer of a server that rates the prompt as vLLM does. */
export function promptLogProbabilities({ prompt }: Asked) {
  const rates = ratesOf(prompt);
  const rated = tokensOf(prompt).map((token, at) =>
    rates[at] === null
      ? null
      : {
          9: { logprob: rates[at], rank: 3, decoded_token: token },
          5: { logprob: -0.1, rank: 1, decoded_token: ' likely' },
        },
  );
  return {
    choices: [{ text: ' more', logprobs: null, prompt_logprobs: rated }],
    usage: { prompt_tokens: rated.length, completion_tokens: 1 },
  };
}

const vocabulary: string[] = [];

/** Tokens of a text with their ids, as llama.cpp gives them. */
export function idsOf(text: string) {
  return tokensOf(text).map((piece) => {
    if (!vocabulary.includes(piece)) vocabulary.push(piece);
    return { id: vocabulary.indexOf(piece), piece };
  });
}

/** The answer of llama.cpp's server, which rates what a grammar of token ids has it write. */
export function forced({ prompt, grammar = '' }: Asked) {
  const ids = [...grammar.matchAll(/<\[(\d+)\]>/g)].map(([, id]) => Number(id));
  const text = ids.map((id) => vocabulary[id]).join('');
  const rates = ratesOf(prompt + text).slice(-ids.length);
  const content = ids.map((id, at) => ({ id, token: vocabulary[id], bytes: [], logprob: rates[at], top_logprobs: [] }));
  return {
    choices: [{ text, logprobs: { content }, finish_reason: 'length' }],
    usage: { prompt_tokens: tokensOf(prompt).length, completion_tokens: ids.length },
  };
}

/** Answers a completions request; tests give servers that do so wrongly. */
export type Answering = (asked: Asked, response: ServerResponse, count: number) => unknown;

const open: Server[] = [];

/** Starts a server on a free port. */
export async function listening(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends the servers of a test. */
export function closeServers(): void {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

/** An OpenAI-compatible server with one model, and what it was asked. @param ids  tells token ids, as llama.cpp's does */
export async function completionServer(answer: Answering, ids?: typeof idsOf) {
  const asked: Asked[] = [];
  const authorizations: (string | undefined)[] = [];
  const address = await listening((request, response) => {
    authorizations.push(request.headers.authorization);
    void bodyOf(request).then((body) => {
      if (request.url === '/v1/models')
        return response.end(JSON.stringify({ data: [{ id: 'm', max_model_len: 4096 }] }));
      if (request.url === '/tokenize' && !ids) return response.writeHead(404).end('{"error":"Not Found"}');
      if (ids && request.url === '/tokenize')
        return response.end(JSON.stringify({ tokens: ids((JSON.parse(body) as { content: string }).content) }));
      const parsed = JSON.parse(body) as Asked;
      asked.push(parsed);
      const value = answer(parsed, response, asked.length);
      return value === undefined ? undefined : response.end(JSON.stringify(value));
    });
  });
  return { address: `${address}/v1`, asked, authorizations };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
  return body;
}
