import { describe, expect, it } from 'vitest';
import {
  canSteer,
  requestSteering,
  reversingStrength,
  STEERING_EXAMPLE,
  type SteeringFound,
  STRENGTHS,
} from '../../../../src/pages/inside/steering.ts';
import { SILENT_CLIENT } from '../../../support/silent-client.ts';

const ok = <Value>(value: Value) => Promise.resolve({ ok: true as const, value });
const found = (first: (strength: number) => number): SteeringFound => ({
  id: 'a',
  layer: 3,
  layers: 5,
  rows: STRENGTHS.map((strength) => ({ strength, first: first(strength), second: 0.5, written: '' })),
});

describe('steering', () => {
  it('needs as many texts on both sides, and something to ask', () => {
    expect(canSteer(STEERING_EXAMPLE)).toBe(true);
    expect(canSteer({ ...STEERING_EXAMPLE, negative: 'One line.' })).toBe(false);
    expect(canSteer({ ...STEERING_EXAMPLE, positive: ' \n', negative: '' })).toBe(false);
    expect(canSteer({ ...STEERING_EXAMPLE, second: '' })).toBe(false);
  });

  it('names the smallest strength that reverses the answers', () => {
    expect(reversingStrength(found((strength) => (strength >= 2 ? 0.9 : 0.1)))).toBe(2);
    expect(reversingStrength(found((strength) => (strength <= -3 ? 0.9 : 0.1)))).toBe(-3);
    expect(reversingStrength(found(() => 0.1))).toBeNull();
  });

  it('makes one concept of the pairs, and asks at each strength', async () => {
    const asked: unknown[] = [];
    const client = {
      ...SILENT_CLIENT,
      steeringConcepts: (body: object) => {
        asked.push(body);
        return ok({ id: 'c', model_version: 'm 1', layer: 2, layers: 4, removed: [] });
      },
      evaluate: ({
        steering_concepts,
        completion_expected,
      }: {
        steering_concepts?: unknown;
        completion_expected: string;
      }) => {
        const [{ strength }] = steering_concepts as [{ strength: number }];
        const log_probability = completion_expected === ' yes' ? strength / 10 - 1 : -1;
        return ok({ result: { log_probability } } as never);
      },
      complete: () => ok({ completions: [{ completion: ' yes' }] } as never),
    };
    const question = { positive: 'Good.\n\nFine.', negative: 'Bad.\nPoor.', prompt: 'p', first: ' yes', second: ' no' };
    const answer = await requestSteering({ client, model: 'm' }, question, {});
    expect(asked).toEqual([
      {
        model: 'm',
        examples: [
          { positive: 'Good.', negative: 'Bad.' },
          { positive: 'Fine.', negative: 'Poor.' },
        ],
      },
    ]);
    if (!answer.ok) throw new Error('expected an answer');
    expect(answer.value.rows.map(({ strength }) => strength)).toEqual([...STRENGTHS]);
    expect(answer.value.rows[4]).toEqual({ strength: 0, first: Math.exp(-1), second: Math.exp(-1), written: ' yes' });
    expect(reversingStrength(answer.value)).toBe(1);
  });
});
