import { POOLINGS } from '../../../../src/contract/wire/limits.ts';
import { describe, expect, it } from 'vitest';
import type { ModelSource } from '../../../../src/client/client.ts';
import { type EmbedResponse, Pooling } from '../../../../src/contract/embed.ts';
import { similarityCsv } from '../../../../src/pages/inside/inside-page.tsx';
import {
  requestSimilarity,
  canCompare,
  cosine,
  similarityFindings,
  pairsOf,
} from '../../../../src/parts/similarity/similarity.ts';
import { requestTokenGrid, MAX_TOKENS } from '../../../../src/pages/inside/live-stores.ts';
import { closestOthers, sharedTokens } from '../../../../src/pages/inside/token-compare.tsx';

type EmbedBody = Parameters<ModelSource<'embed'>['client']['embed']>[0];

it('offers every pooling of the contract', () => expect(POOLINGS).toEqual(Pooling.options));

/** Two layers above the embeddings. A text's vector turns with the layer, by an angle that its letters give. */
function embedding({ prompt, layers, pooling, tokens }: EmbedBody): EmbedResponse {
  const text = String(prompt);
  const angle = (layer: number) => layer * (text.codePointAt(0) ?? 0);
  const asked = (layers ?? [-1]).map((layer) => (layer < 0 ? 3 + layer : layer));
  const vector = (layer: number) => [Math.cos(angle(layer)), Math.sin(angle(layer))];
  return {
    model_version: 'm 1',
    embeddings: Object.fromEntries(
      asked.map((layer) => [
        `layer_${layer}`,
        Object.fromEntries((pooling ?? (['mean'] as const)).map((one) => [one, vector(layer)])),
      ]),
    ),
    tokens: tokens ? (text.match(/ ?\S+/g) ?? []) : null,
    num_tokens_prompt_total: text.split(' ').length,
  };
}

function setUp() {
  const asked: EmbedBody[] = [];
  const source: ModelSource<'embed'> = {
    model: 'm',
    client: {
      embed: (body) => {
        asked.push(body);
        return Promise.resolve({ ok: true, value: embedding(body) });
      },
    },
  };
  return { asked, source };
}

describe('askSimilarity', () => {
  it('compares each text with each, at every layer and by every pooling', async () => {
    const { source } = setUp();
    const progress: number[] = [];
    const answer = await requestSimilarity(
      source,
      { texts: ['a one', ' ', 'b two', 'a three'] },
      { onProgress: ({ done }) => progress.push(done) },
    );
    if (!answer.ok) throw new Error(answer.problem.message);
    const { value } = answer;
    expect(value).toMatchObject({ texts: ['a one', 'b two', 'a three'], lastLayer: 2, modelVersion: 'm 1' });
    expect(value.pairs).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    for (const pooling of POOLINGS) {
      expect(value.cosines[pooling][0]).toEqual([1, 1, 1]);
      expect(value.cosines[pooling][2]?.[1]).toBeCloseTo(1, 9);
      expect(value.cosines[pooling][2]?.[0]).toBeCloseTo(Math.cos(2), 9);
    }
    expect(progress).toEqual([0, 1, 2]);
    expect(similarityFindings(value, 'mean')).toMatchObject({
      first: 0,
      last: 1,
      moved: { pair: 0, lowAt: 2, highAt: 0 },
    });
    const lines = similarityCsv(value).split('\r\n');
    expect(lines).toHaveLength(1 + 3 * POOLINGS.length * 3);
    expect(lines[1]).toBe('a one,b two,mean,0,1,m 1');
  });

  it('passes a refusal on', async () => {
    const problem = { status: 400, code: 'PROMPT_TOO_LONG', message: 'long' };
    const { source } = setUp();
    const refusing = { ...source, client: { ...source.client, embed: async () => ({ ok: false as const, problem }) } };
    expect(await requestSimilarity(refusing, { texts: ['a', 'b'] }, {})).toEqual({ ok: false, problem });
  });
});

describe('pairs and cosines', () => {
  it('are those of two texts or more', () => {
    expect(canCompare(['a', ' ', ''])).toBe(false);
    expect(canCompare(['a', 'b'])).toBe(true);
    expect(pairsOf(8)).toHaveLength(28);
  });
  it('are 0 where a vector is all zeros', () => {
    expect(cosine([0, 0], [1, 2])).toBe(0);
    expect(cosine([2, 0], [0, 3])).toBe(0);
    expect(cosine([1, 2], [-2, -4])).toBeCloseTo(-1, 9);
  });
});

describe('askTokenGrid', () => {
  it('knows each token by the text that ends with it', async () => {
    const { source, asked } = setUp();
    const answer = await requestTokenGrid(source, { a: 'red cat', b: 'blue red', layer: 1 }, {});
    if (!answer.ok) throw new Error(answer.problem.message);
    expect(answer.value.a).toEqual({ texts: ['red', ' cat'], isCut: false });
    expect(answer.value.cosines).toHaveLength(2);
    expect(asked.map(({ prompt }) => prompt)).toEqual(['red cat', 'red', 'red cat', 'blue red', 'blue', 'blue red']);
    expect(sharedTokens(answer.value)).toEqual([]); // with and without its space are two tokens
    expect(closestOthers(answer.value)?.a).toBe('red');
  });

  it('joins a token to the next where the text up to it is cut otherwise', async () => {
    const { source } = setUp();
    const whole = ['light', 'house', ' on'];
    const cut = (text: string) => (text === 'light' ? ['li', 'ght'] : whole.slice(0, text === 'lighthouse' ? 2 : 3));
    const embed: ModelSource<'embed'>['client']['embed'] = async (body) => ({
      ok: true,
      value: { ...embedding(body), tokens: cut(String(body.prompt)) },
    });
    const odd = { ...source, client: { ...source.client, embed } };
    const answer = await requestTokenGrid(odd, { a: 'lighthouse on', b: 'lighthouse on', layer: 0 }, {});
    expect(answer.ok && answer.value.a.texts).toEqual(['lighthouse', ' on']);
    expect(answer.ok && sharedTokens(answer.value).map(({ text }) => text)).toEqual(['lighthouse', ' on']);
  });

  it('ends after so many tokens, and says so', async () => {
    const { source } = setUp();
    const long = Array.from({ length: MAX_TOKENS + 5 }, (_, index) => `w${index}`).join(' ');
    const answer = await requestTokenGrid(source, { a: long, b: 'short', layer: 0 }, {});
    expect(answer.ok && answer.value.a.texts).toHaveLength(MAX_TOKENS);
    expect(answer.ok && [answer.value.a.isCut, answer.value.b.isCut]).toEqual([true, false]);
  });
});
