import { describe, expect, it } from 'vitest';
import {
  isModelChoice,
  modelAnswerOf,
  type Prediction,
  readPrediction,
  targetProbability,
  unexpectedWord,
} from '../../../src/explanations/outcome.ts';
import { PREDICTION } from '../../support/fakes/fake-explain.ts';

const token = (text: string, probability: number) => ({ token: text, log_probability: Math.log(probability) });
const saying = (...tokens: ReturnType<typeof token>[]): Prediction => ({
  continuation: { text: tokens.map((each) => each.token).join(''), tokens },
  target: null,
});
const rating = (...tokens: NonNullable<Prediction['target']>['tokens']): Prediction => ({
  ...saying(),
  target: { log_probability: tokens.reduce((sum, each) => sum + each.log_probability, 0), tokens },
});

describe('ownAnswerOf', () => {
  it('ends with the first line that has words, and has its probability', () => {
    const own = modelAnswerOf(saying(token('\n', 0.5), token(' Luigi', 0.5), token("'s", 0.5), token('\nUser', 0.9)));
    expect(own.text).toBe("\n Luigi's");
    expect(own.probability).toBeCloseTo(0.125, 9);
    expect(own.isCut).toBe(false);
  });

  it('says that an answer goes on', () => {
    expect(modelAnswerOf(saying(...Array.from({ length: 16 }, () => token(' a', 0.9)))).isCut).toBe(true);
    expect(modelAnswerOf(saying(token(' a', 0.9))).isCut).toBe(false);
  });

  it('has whole characters where tokens are parts of them', () => {
    const { tokens } = saying(
      token(' K', 0.5),
      token('\uFFFD', 0.5),
      token('ln', 0.5),
      token('\nUser', 0.5),
    ).continuation;
    const own = modelAnswerOf({ continuation: { text: ' Köln\nUser', tokens }, target: null });
    expect(own).toMatchObject({ text: ' Köln', isBroken: false });
    expect(own.probability).toBeCloseTo(0.125, 9);
  });

  it('says that bytes make up no characters', () => {
    expect(modelAnswerOf(saying(token(' a', 0.5), token('\uFFFD', 0.5))).isBroken).toBe(true);
  });

  it('is empty where the model ends the text', () => {
    expect(modelAnswerOf(saying())).toEqual({ text: '', probability: 1, isCut: false, isBroken: false });
  });
});

describe('the target', () => {
  const likely = { ...token(' red', 0.6), alternatives: [token(' red', 0.6)] };
  const fair = { ...token(' shoe', 0.05), alternatives: [token(' hat', 0.5)] };
  const absurd = { ...token(' moon', 1e-6), alternatives: [token(' hat', 0.5)] };
  const best = { ...token(' x', 0.005), alternatives: [token(' x', 0.005)] };

  it('is unexpected by the word that is least expected', () => {
    const word = unexpectedWord(rating(likely, absurd, fair), ' red moon shoe');
    expect(word?.text).toBe(' moon');
    expect(word?.probability).toBeCloseTo(1e-6, 12);
    expect(unexpectedWord(rating(likely, fair), ' red shoe')).toBeNull();
  });

  it('is named by whole words, with their probability', () => {
    const word = unexpectedWord(rating({ ...absurd, token: ' K' }, { ...likely, token: '\uFFFD' }, likely), ' Kö red');
    expect(word?.text).toBe(' Kö');
    expect(word?.probability).toBeCloseTo(0.6e-6, 12);
  });

  it('is unexpected where each part of a word is probable, and the word is not', () => {
    const part = (text: string) => ({ ...fair, token: text });
    expect(unexpectedWord(rating(part(' mo'), part('on')), ' moon')?.probability).toBeCloseTo(0.0025, 9);
    expect(unexpectedWord(rating(part(' mo'), part(' on')), ' mo on')).toBeNull();
  });

  it('is asked about one word', () => {
    expect(unexpectedWord(rating(likely, absurd), ' red moon', 0)).toBeNull();
    expect(unexpectedWord(rating(likely, absurd), ' red moon', 1)?.text).toBe(' moon');
  });

  it('is expected where nothing is more likely, however unlikely it is', () => {
    expect(unexpectedWord(rating(best), ' x')).toBeNull();
  });

  it('is the model’s own choice where each token is the likeliest', () => {
    expect([isModelChoice(rating(likely, best)), isModelChoice(rating(likely, fair)), isModelChoice(saying())]).toEqual(
      [true, false, false],
    );
  });

  it('has the product of its tokens as probability', () => {
    expect(targetProbability(rating(likely, fair))).toBeCloseTo(0.03, 9);
    expect(targetProbability(saying())).toBeNull();
  });
});

describe('readPrediction', () => {
  it('reads what was stored', () => {
    expect(readPrediction(JSON.parse(JSON.stringify(PREDICTION)))).toEqual(PREDICTION);
  });

  it.each([null, 1, {}, { continuation: {} }, { continuation: { text: '', tokens: [1] }, target: null }])(
    'is null for %j',
    (value) => expect(readPrediction(value)).toBeNull(),
  );
});
