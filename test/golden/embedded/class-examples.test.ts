import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { isModelChoice, modelAnswerOf, type Outcome } from '../../../src/explanations/outcome.ts';
import { requestExplanation } from '../../../src/explanations/request.ts';
import { NEUTRAL_NATS, rankedIn } from '../../../src/explanations/influence.ts';
import { DEFAULT_QUESTION_SETTINGS, type Granularity } from '../../../src/explanations/question.ts';
import { lensFindings } from '../../../src/pages/inside/lens-section.tsx';
import { LENS_EXAMPLE, TEXT_SETS } from '../../../src/pages/inside/live-stores.ts';
import { requestSimilarity } from '../../../src/parts/similarity/similarity.ts';
import { CLASS_EXAMPLES } from '../../../src/pages/learn/class-examples.ts';
import { EXAMPLE_IDS, type ExampleId } from '../../../src/pages/learn/example-ids.ts';
import type { LessonTexts } from '../../../src/parts/live/text-fields.tsx';
import {
  FIRST_TEXTS,
  type LearnSource,
  requestAttention,
  requestGranularity,
  requestTokens,
  RIVAL_TARGET,
} from '../../../src/pages/learn/lesson-stores.ts';
import { agreementOf, inverted, mostSplit, sentenceRows } from '../../../src/pages/learn/notices.ts';
import { createPage, TOKEN } from '../../support/fakes/page.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place } from '../../support/onnx/place.ts';

let source: LearnSource;

async function outcomeOf({ prompt, target }: LessonTexts, granularity: Granularity): Promise<Outcome> {
  const question = { picture: null, prompt, target, settings: { ...DEFAULT_QUESTION_SETTINGS, granularity } };
  return valueOf(requestExplanation(source.client, question, { model: source.model, upstream: null }));
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

interface Shown {
  /** Whether the target is the model's own answer. */
  readonly isOwn: boolean;
  /** The model's own answer. */
  readonly says: string;
  /** The strongest section, by its words. */
  readonly top: string;
  /** A section that opposes the target although its words support it. */
  readonly inverted?: string;
}

/** What each example shows. */
const SHOWN: Readonly<Record<ExampleId, Shown>> = {
  copy: { isOwn: true, says: " Luigi's", top: "Luigi's" },
  choice: { isOwn: true, says: ' Warsaw', top: 'Warsaw' },
  rival: { isOwn: false, says: ' Warsaw', top: 'Prague' },
  phrase: { isOwn: true, says: ' under the old bridge', top: 'old' },
  redundant: { isOwn: true, says: ' green', top: 'green' },
  digits: { isOwn: true, says: ' 9:10', top: ':' },
  'not-simple': { isOwn: true, says: ' Harlow', top: 'Harlow' },
  'not-hard': { isOwn: false, says: ' Karl', top: 'Lena' },
  'wrong-name': { isOwn: false, says: ' Redfield', top: 'Millbrook' },
  knowledge: { isOwn: false, says: ' Eiffel Tower', top: 'In' },
  sentiment: { isOwn: false, says: ' negative', top: 'not' },
  sentences: { isOwn: true, says: ' Greek', top: 'Her husband speaks Greek.', inverted: 'Olga speaks French.' },
};

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

  it.each(EXAMPLE_IDS)('example %s shows what it is to show', async (id) => {
    const { granularity = 'word', ...texts } = CLASS_EXAMPLES[id];
    const shows = SHOWN[id];
    const outcome = await outcomeOf(texts, granularity);
    const { prediction, influence } = outcome;
    expect(prediction && modelAnswerOf(prediction).text).toBe(shows.says);
    expect(prediction && isModelChoice(prediction)).toBe(shows.isOwn);
    const [top] = rankedIn(influence.prompt, 'whole');
    expect(top?.text.trim()).toBe(shows.top);
    MORE[id]?.(outcome);
    if (shows.inverted === undefined) return;
    expect(scoreOf(outcome, shows.inverted)).toBeLessThan(-NEUTRAL_NATS);
    const words = await outcomeOf(texts, 'word');
    const sentence = influence.prompt.find(({ text }) => text.trim() === shows.inverted);
    const end = (sentence?.start ?? 0) + (sentence?.length ?? 0);
    const own = words.influence.prompt.filter(({ start }) => start >= (sentence?.start ?? 0) && start < end);
    expect(own.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(NEUTRAL_NATS);
  });

  it('the first lesson has a word of several tokens', async () => {
    const found = await valueOf(requestTokens(source, FIRST_TEXTS.tokens, {}));
    expect(mostSplit(found.words)?.tokens.length).toBeGreaterThan(2);
    expect(found.words.flatMap(({ tokens }) => tokens).join('')).toBe(FIRST_TEXTS.tokens.text);
    expect(found.written.length).toBeGreaterThan(0);
  });

  it('the second has an answer of the model, a rival that it does not say, and a deletion that differs', async () => {
    const own = await valueOf(requestAttention(source, FIRST_TEXTS.attention, {}));
    expect(own.outcome.prediction && isModelChoice(own.outcome.prediction)).toBe(true);
    expect(agreementOf(own.deleted).kind).toBe('size');
    const rival = await valueOf(requestAttention(source, { ...FIRST_TEXTS.attention, target: RIVAL_TARGET }, {}));
    expect(rival.outcome.prediction && isModelChoice(rival.outcome.prediction)).toBe(false);
  });

  it('the third has a sentence whose sign flips', async () => {
    const found = await valueOf(requestGranularity(source, FIRST_TEXTS.granularity, {}));
    const turned = inverted(sentenceRows(found));
    expect(turned?.row.section.text.trim()).toBe('Olga speaks French.');
    expect(turned?.by).toBe('words');
  });

  it('the fourth has opposite sentences that are more alike than a paraphrase, at every layer', async () => {
    const { cosines } = await valueOf(requestSimilarity(source, FIRST_TEXTS.layers, {}));
    for (const [opposite = 0, ...others] of cosines.mean) expect(opposite).toBeGreaterThan(Math.max(...others));
  });

  it('the sets of the Inside page are read, and the word order is lost to the mean of the embeddings', async () => {
    for (const { name, texts } of TEXT_SETS) {
      const { cosines, pairs } = await valueOf(requestSimilarity(source, { texts }, {}));
      expect(pairs, name).toHaveLength(3);
      if (name === 'order') expect(cosines.mean[0]?.[0]).toBeCloseTo(1, 5);
    }
  });

  it('the lens shows a prediction that stands before the last layer', async () => {
    const found = await valueOf(source.client.lens({ model: source.model, ...LENS_EXAMPLE }));
    const findings = lensFindings(found);
    expect(findings?.predicted).toBe(LENS_EXAMPLE.target);
    expect(findings?.since).toBeLessThan(findings?.lastLayer ?? 0);
  });
});
