import { captionOf, sentText } from '../../../src/figures/caption.ts';
import { describe, expect, it } from 'vitest';
import type { ExplanationItem } from '../../../src/contract/explain.ts';
import { outcomeOf, type Prediction } from '../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';

interface Case {
  readonly factor?: number;
  readonly prediction?: Prediction | null;
  readonly target?: string;
}

function outcome(items: ExplanationItem[], { factor = 0.1, prediction = null, target = ' Luigi' }: Case = {}) {
  const question = { picture: null, prompt: 'a b c d', target, settings: { ...DEFAULT_QUESTION_SETTINGS, factor } };
  return outcomeOf(question, [{ target, items }], 'm 1', prediction);
}

/** Sections `a`, `b`, `c`, `d` with these scores. */
function scored(scores: readonly number[], more: Case = {}) {
  const spans = scores.map((score, at) => ({ start: at * 2, length: 1, score }));
  return outcome([{ type: 'text', scores: spans }], more);
}

const leadOf = (scores: readonly number[], more?: Case) => captionOf(scored(scores, more), 'whole').lead;

/** The model says ` Mario`; the target has this probability. */
const prediction = (probability: number): Prediction => ({
  continuation: { text: ' Mario', tokens: [{ token: ' Mario', log_probability: Math.log(0.4) }] },
  target: {
    log_probability: Math.log(probability),
    tokens: [
      {
        token: ' Luigi',
        log_probability: Math.log(probability),
        alternatives: [{ token: ' Mario', log_probability: Math.log(0.4) }],
      },
    ],
  },
});

describe('captionOf', () => {
  it('names the largest effect, and the change in likelihood', () => {
    expect(captionOf(scored([-1, 7.83, 1]), 'whole')).toEqual({
      lead: '‘b’ is the main reason for ‘Luigi’.',
      detail: 'Dimming ‘b’ makes ‘Luigi’ about 2,500 times less likely (+7.83 nats).',
    });
  });

  it.each([
    [[-9, 7.83], '‘a’ pulls away from ‘Luigi’, ‘b’ pulls towards it.'],
    [[7.83, -6], '‘a’ pulls towards ‘Luigi’, ‘b’ pulls away.'],
    [[-1, -2], '‘b’ speaks most against ‘Luigi’; no part of the prompt supports it much.'],
    [[3, 2.9], '‘a’ and ‘b’ support ‘Luigi’ about equally.'],
    [[-3, -2.9], '‘a’ and ‘b’ speak against ‘Luigi’ about equally.'],
    [[0.09, -0.05], 'No single part of the prompt matters much for ‘Luigi’.'],
    [[], 'There is nothing to explain yet.'],
  ])('says of %j: %s', (scores, lead) => expect(leadOf(scores)).toBe(lead));

  it('says that sections of a model behind a server were deleted, whatever the factor is', () => {
    for (const factor of [0.1, 1, 2]) {
      const { question, explanations } = scored([-1, 7.83, 1], { factor });
      const there = outcomeOf(question, explanations, 'm 1', null, { upstream: 'https://models.example/v1' });
      expect(captionOf(there, 'whole')).toEqual({
        lead: '‘b’ is the main reason for ‘Luigi’.',
        detail: 'Deleting ‘b’ makes ‘Luigi’ about 2,500 times less likely (+7.83 nats).',
      });
    }
  });

  it.each([
    ['https://models.example/v1', 'This left your device: '],
    ['http://localhost:8000/v1', 'This left the page: '],
    ['http://127.0.0.1:8000/v1', 'This left the page: '],
    ['http://[::1]:8000/v1', 'This left the page: '],
    ['http://localhost.example/v1', 'This left your device: '],
    ['http://127.example.org/v1', 'This left your device: '],
  ])('says what was sent to %s', (address, lead) => {
    expect(sentText(address)).toContain(`sent to ${address} with the target`);
    expect(sentText(address).startsWith(lead)).toBe(true);
  });

  it('does not name an attention sink, though its score is the greatest', () => {
    const sink = { id: 'prompt-0-1', loss: 0.1, lossAfter: 6 };
    const { question, explanations, prediction } = scored([9, 7.83, 1]);
    const outcome = outcomeOf(question, explanations, 'm 1', prediction, { sinks: [sink] });
    const { lead, detail } = captionOf(outcome, 'whole');
    expect(lead).toBe('‘b’ is the main reason for ‘Luigi’.');
    expect(detail).toContain('‘b’');
  });

  it.each([
    [' b', '‘b’ comes from ‘a b c d’.'],
    [' b.', '‘b.’ comes from ‘a b c d’.'],
    [' “b”!', '‘“b”!’ comes from ‘a b c d’.'],
    [' bc.', '‘b’ is the main reason for ‘bc.’.'],
  ])('says where the answer %j stands in the prompt, whatever marks are around it: %s', (target, lead) =>
    expect(leadOf([-1, 7.83, 1], { target })).toBe(lead),
  );

  it('speaks of one target token', () => {
    const { lead, detail } = captionOf(scored([1], { factor: 0 }), 0);
    expect(lead).toBe('‘a’ is the main reason for ‘Luigi’.');
    expect(detail).toBe('Ignoring ‘a’ makes ‘Luigi’ about 2.7 times less likely (+1.00 nats).');
  });

  it('means support by a positive number when sections are strengthened, too', () => {
    const { lead, detail } = captionOf(scored([0.2, -2], { factor: 2 }), 'whole');
    expect(lead).toBe('‘b’ is the main reason for ‘Luigi’.');
    expect(detail).toBe('Strengthening ‘b’ makes ‘Luigi’ about 7.4 times more likely (+2.00 nats).');
  });

  it('says that a factor of 1 changes nothing', () => {
    expect(leadOf([0], { factor: 1 })).toBe('A factor of 1 changes nothing.');
  });

  it('says so when the change is small', () => {
    expect(captionOf(scored([0.1]), 'whole').detail).toBe(
      'Dimming ‘a’ hardly changes how likely ‘Luigi’ is (+0.10 nats).',
    );
  });

  it('says first that the model does not expect the target', () => {
    const { lead, detail } = captionOf(scored([3, 0], { prediction: prediction(5e-5) }), 'whole');
    expect(lead).toBe('The model does not expect ‘Luigi’.');
    expect(detail).toMatch(/^It gives it a probability of 0\.005 %\. It says ‘Mario’ instead\. ‘a’ is the main reason/);
    expect(leadOf([3, 0], { prediction: prediction(0.2) })).toBe('‘a’ is the main reason for ‘Luigi’.');
  });

  it('quotes no bytes that make up no text', () => {
    const bytes = { text: '\uFFFD\uFFFD', tokens: [{ token: '\uFFFD', log_probability: -1 }] };
    const { detail } = captionOf(scored([3, 0], { prediction: { ...prediction(5e-5), continuation: bytes } }), 'whole');
    expect(detail).toMatch(/%\. It writes bytes that make up no readable text instead\. ‘a’/);
  });

  it('doubts one word only where it is that word', () => {
    const said = prediction(5e-5);
    const { target } = said;
    const sure = { token: ' is', log_probability: -0.1, alternatives: [{ token: ' is', log_probability: -0.1 }] };
    const rated = target && { ...target, tokens: [...target.tokens, sure] };
    const items: ExplanationItem[] = [{ type: 'text', scores: [{ start: 0, length: 1, score: 3 }] }];
    const question = { picture: null, prompt: 'a b', target: ' Luigi is', settings: DEFAULT_QUESTION_SETTINGS };
    const explanations = [' Luigi', ' is'].map((word) => ({ target: word, items }));
    const both = outcomeOf(question, explanations, 'm 1', { ...said, target: rated });
    expect(captionOf(both, 'whole').detail).toMatch(/^It gives ‘Luigi’ 0\.005 %\. It says ‘Mario’ instead\./);
    expect(captionOf(both, 0).lead).toBe('The model does not expect ‘Luigi’.');
    expect(captionOf(both, 1).lead).toBe('‘a’ is the main reason for ‘is’.');
  });

  it('sets names from right to left apart, so that they keep their places in the sentence', () => {
    const scores = [5, -4].map((score, at) => ({ start: at * 2, length: 1, score }));
    const question = { picture: null, prompt: 'א ב', target: ' ג', settings: DEFAULT_QUESTION_SETTINGS };
    const explained = outcomeOf(question, [{ target: ' ג', items: [{ type: 'text', scores }] }], 'm 1', null);
    expect(captionOf(explained, 'whole').lead).toBe(
      '‘\u2068א\u2069’ pulls towards ‘\u2068ג\u2069’, ‘\u2068ב\u2069’ pulls away.',
    );
  });

  it('says where in the picture', () => {
    const tile = (column: number, score: number) => ({
      rect: { left: column / 3, top: 1 / 3, width: 1 / 3, height: 1 / 3 },
      score,
    });
    const explained = outcome([{ type: 'image', scores: [tile(0, 1), tile(2, 2)] }], { factor: 0 });
    const { lead, detail } = captionOf(explained, 'whole');
    expect(lead).toBe('The tile in row 2, column 3 is the main reason for ‘Luigi’.');
    expect(detail).toMatch(/^Ignoring the tile in row 2, column 3 makes ‘Luigi’/);
  });

  it('calls a picture that is not cut by that name', () => {
    const whole = { rect: { left: 0, top: 0, width: 1, height: 1 }, score: 1 };
    const { lead } = captionOf(outcome([{ type: 'image', scores: [whole] }], { target: 'x' }), 'whole');
    expect(lead).toBe('The picture is the main reason for ‘x’.');
  });
});
