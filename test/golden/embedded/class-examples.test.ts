import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { ask } from '../../../src/state/explain/explain-store.ts';
import { NEUTRAL_NATS, rankedIn } from '../../../src/state/explain/influence.ts';
import type { Outcome } from '../../../src/state/explain/outcome.ts';
import { isOwnChoice, ownAnswerOf } from '../../../src/state/explain/prediction.ts';
import { DEFAULT_SETTINGS, type Granularity } from '../../../src/state/explain/question.ts';
import { lensFindings } from '../../../src/state/inside/lens.ts';
import { LENS_EXAMPLE, TEXT_SETS } from '../../../src/state/inside/examples.ts';
import { askSimilarity } from '../../../src/state/inside/similarity.ts';
import { CLASS_EXAMPLES, type ExampleId } from '../../../src/state/learn/class/class-examples.ts';
import { FIRST_TEXTS, RIVAL_TARGET } from '../../../src/state/learn/lessons/first-texts.ts';
import { agreementOf, askAttention } from '../../../src/state/learn/lessons/attention.ts';
import type { LearnSource, Texts } from '../../../src/state/learn/lessons/asked.ts';
import { askGranularity, inverted, sentenceRows } from '../../../src/state/learn/lessons/granularity.ts';
import { askTokens, mostSplit } from '../../../src/state/learn/lessons/tokens.ts';
import { createPage, TOKEN } from '../../support/fakes/page.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place } from '../../support/onnx/place.ts';

let source: LearnSource;

async function outcomeOf({ prompt, target }: Texts, granularity: Granularity): Promise<Outcome> {
  const question = { picture: null, prompt, target, settings: { ...DEFAULT_SETTINGS, granularity } };
  const answer = await ask(source, question, new AbortController().signal, () => undefined);
  if ('problem' in answer) throw new Error(answer.problem.message);
  return answer.outcome;
}

async function valueOf<Value>(
  answer: Promise<{ ok: true; value: Value } | { ok: false; problem: { message: string } }>,
) {
  const given = await answer;
  if (!given.ok) throw new Error(given.problem.message);
  return given.value;
}

/** Score of the sections with these words, the largest. */
function scoreOf({ influence }: Outcome, text: string): number {
  return Math.max(...influence.prompt.filter((one) => one.text.trim() === text).map(({ total }) => total));
}

/** What the words of the page say of an example beyond what all examples are asked. */
const MORE: Readonly<Partial<Record<ExampleId, (outcome: Outcome) => void>>> = {
  choice: (outcome) => expect(scoreOf(outcome, 'Marta')).toBeGreaterThan(1),
  rival: (outcome) => expect(scoreOf(outcome, 'Prague')).toBeGreaterThan(1),
  redundant: (outcome) => expect(Math.exp(scoreOf(outcome, 'green'))).toBeLessThan(10),
  digits: (outcome) => expect(outcome.prediction?.target?.tokens.length).toBeGreaterThan(2),
  'not-hard': (outcome) => expect(scoreOf(outcome, 'Lena')).toBeGreaterThan(1),
};

// The numbers do not depend on the place; one place, the fastest to start, is enough.
describe.runIf(place.backend === 'wasm' && !place.browser)('what the Learn and Inside pages show at first', () => {
  beforeAll(async () => {
    const { router } = createPage({ model: await openEmbeddedModel(), timeoutMs: 120_000 });
    const client = createClient({
      fetch: (request) => router.fetch(request),
      baseUrl: 'http://localhost',
      token: TOKEN,
    });
    source = { client, model: 'lightwell-base' };
  });

  it.each(CLASS_EXAMPLES)('example $id shows what it is to show', async ({ id, granularity, shows, ...texts }) => {
    const outcome = await outcomeOf(texts, granularity);
    const { prediction, influence } = outcome;
    expect(prediction && ownAnswerOf(prediction).text).toBe(shows.says);
    expect(prediction && isOwnChoice(prediction)).toBe(shows.isOwn);
    const [top] = rankedIn(influence.prompt, 'whole');
    expect(top?.text.trim()).toBe(shows.top);
    MORE[id]?.(outcome);
    if (!('inverted' in shows)) return;
    expect(scoreOf(outcome, shows.inverted)).toBeLessThan(-NEUTRAL_NATS);
    const words = await outcomeOf(texts, 'word');
    const sentence = influence.prompt.find(({ text }) => text.trim() === shows.inverted);
    const end = (sentence?.start ?? 0) + (sentence?.length ?? 0);
    const own = words.influence.prompt.filter(({ start }) => start >= (sentence?.start ?? 0) && start < end);
    expect(own.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(NEUTRAL_NATS);
  });

  it('the first lesson has a word of several tokens', async () => {
    const found = await valueOf(askTokens(source, FIRST_TEXTS.tokens, {}));
    expect(mostSplit(found.words)?.tokens.length).toBeGreaterThan(2);
    expect(found.words.flatMap(({ tokens }) => tokens).join('')).toBe(FIRST_TEXTS.tokens.text);
    expect(found.written.length).toBeGreaterThan(0);
  });

  it('the second has an answer of the model, a rival that it does not say, and a deletion that differs', async () => {
    const own = await valueOf(askAttention(source, FIRST_TEXTS.attention, {}));
    expect(own.outcome.prediction && isOwnChoice(own.outcome.prediction)).toBe(true);
    expect(agreementOf(own.deleted).kind).toBe('size');
    const rival = await valueOf(askAttention(source, { ...FIRST_TEXTS.attention, target: RIVAL_TARGET }, {}));
    expect(rival.outcome.prediction && isOwnChoice(rival.outcome.prediction)).toBe(false);
  });

  it('the third has a sentence whose sign turns', async () => {
    const found = await valueOf(askGranularity(source, FIRST_TEXTS.granularity, {}));
    const turned = inverted(sentenceRows(found));
    expect(turned?.row.section.text.trim()).toBe('Olga speaks French.');
    expect(turned?.by).toBe('words');
  });

  it('the fourth has opposite sentences that are more alike than a paraphrase, at every layer', async () => {
    const { cosines } = await valueOf(askSimilarity(source, FIRST_TEXTS.layers, {}));
    for (const [opposite = 0, ...others] of cosines.mean) expect(opposite).toBeGreaterThan(Math.max(...others));
  });

  it('the sets of the Inside page are read, and the word order is lost to the mean of the embeddings', async () => {
    for (const { name, texts } of TEXT_SETS) {
      const { cosines, pairs } = await valueOf(askSimilarity(source, { texts }, {}));
      expect(pairs, name).toHaveLength(3);
      if (name === 'order') expect(cosines.mean[0]?.[0]).toBeCloseTo(1, 5);
    }
  });

  it('the lens shows a prediction that stands before the last layer', async () => {
    const found = await valueOf(source.client.lens({ model: source.model, ...LENS_EXAMPLE }));
    const findings = lensFindings(found);
    expect(findings?.said).toBe(LENS_EXAMPLE.target);
    expect(findings?.since).toBeLessThan(findings?.lastLayer ?? 0);
  });
});
