import { describe, expect, it } from 'vitest';
import type { Jobs } from '../../../../src/protocol/jobs.ts';
import { lens } from '../../../../workers/operations/lens.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';
import { firstModel, QUIET as context, textPrompt } from '../../../support/fakes/jobs.ts';

const job = (more: Partial<Jobs['lens']['input']> = {}): Jobs['lens']['input'] => ({
  model: firstModel(),
  prompt: textPrompt('The sky over Bergen was'),
  positions: 2,
  alternatives: 3,
  target: null,
  control_log_additive: true,
  ...more,
});

describe('lens', () => {
  it('finds what each layer would predict at the last positions', async () => {
    const { positions } = await lens(job({ target: ' grey' }), createFakeModel(), context);
    expect(positions.map(({ token }) => token)).toEqual(['en', ' was']);
    for (const { layers } of positions) {
      expect(layers.map(({ layer }) => layer)).toEqual([0, 1, 2]);
      for (const { tokens, target } of layers) {
        expect(tokens).toHaveLength(3);
        expect(target?.rank).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it('asks for the states once, then for logits in parts that fit', async () => {
    const fake = createFakeModel({ contextTokens: 16 });
    const whole = await lens(job({ positions: 3 }), createFakeModel(), context);
    expect(await lens(job({ positions: 3 }), createFakeModel({ contextTokens: 7 }), context)).toEqual(whole);
    await lens(job({ positions: 3 }), fake, context);
    expect(fake.runs.map(({ states, pooling }) => [pooling?.pools ?? null, states?.length ?? null])).toEqual([
      [3, null],
      [null, 9 * fake.network.shape.width],
    ]);
  });

  it('gives as many positions as the prompt has', async () => {
    const { positions } = await lens(job({ prompt: textPrompt('The'), positions: 9 }), createFakeModel(), context);
    expect(positions).toHaveLength(1);
  });

  it('refuses a network whose graph hides its layers', async () => {
    const failure = await lens(job(), createFakeModel({ showsLayers: false }), context).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ failure: { code: 'MISSING_CAPABILITY' } });
    expect(String(failure)).toContain('expected one whose graph shows its layers');
  });
});
