import { DESCRIBED } from '../../contract/description/operations.ts';
import type { LensLayer } from '../../contract/likelihood/lens.ts';
import type { Lensed } from '../../protocol/likelihood/lens-job.ts';
import type { ShownToken } from '../../protocol/target-jobs.ts';
import { operation } from '../operation.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt } from '../request/prompt.ts';
import { nonEmptyText } from '../request/text.ts';

/** `POST /lens`. */
export const lens = operation({
  ...DESCRIBED.lens,
  kind: 'lens',
  use: 'predict',
  input: async (body, tools) => ({
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    positions: body.positions,
    alternatives: body.alternatives,
    target: body.target === null ? null : nonEmptyText(body.target, 'target'),
    controls: controlOptions(body),
  }),
  output: ({ positions }, { version }) => ({
    model_version: version,
    positions: positions.map(({ token, layers }) => ({ token, layers: layers.map(layerToWire) })),
  }),
});

function layerToWire({ layer, tokens, target }: Lensed['positions'][number]['layers'][number]): LensLayer {
  return {
    layer,
    tokens: tokens.map(tokenToWire),
    target: target && { ...tokenToWire(target), rank: target.rank },
  };
}

function tokenToWire({ token, logProbability }: ShownToken) {
  return { token, log_probability: logProbability };
}
