import { describe, expect, it } from 'vitest';
import { fileBytes, place } from '../../support/onnx/place.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { Tier } from '../../../src/models/model.ts';
import { decodeModel } from '../../../workers/engine/codec/model-proto.ts';
import { planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';

/** Graphs that are not rewritten, and why. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'gb-lfm2-cpu-fp32': /convolution or recurrent state/,
  'opt-t5-decoder_model_merged': /encoder-decoder/,
  'ort-gpt2-past': /exactly 1 tokens at a time/,
};

interface Row {
  readonly name: string;
  readonly tier: Tier;
  readonly attentions: number;
  readonly nodes: number;
  readonly reason: string;
}

async function rowOf(name: string): Promise<Row> {
  const file = await fileBytes(`${place.data}/graphs/${name}/model.onnx`);
  const nodes = decodeModel(file).nodes.length;
  try {
    const { keptBecause = '', layers } = planNetwork(file, NO_CONFIG);
    return {
      name,
      tier: keptBecause === '' ? 'steered' : 'as_exported',
      attentions: layers,
      nodes,
      reason: keptBecause,
    };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { name, tier: 'refused', attentions: 0, nodes, reason: error.message };
  }
}

const NO_CONFIG = { layers: undefined, headSize: 16, contextTokens: undefined, paddingId: undefined };

if (place.data === null) console.log('Skipped, tiers: no folder ../shared/data (or LIGHTWELL_DATA)');

// The reason is printed above.
describe.skipIf(place.data === null)('the graphs of exporters', () => {
  it('are rewritten, or refused with a reason', async () => {
    const list: unknown = JSON.parse(new TextDecoder().decode(await fileBytes(`${place.data}/graphs/fixtures.json`)));
    if (!Array.isArray(list)) throw new TypeError('expected a list of fixtures');
    const rows: Row[] = [];
    for (const { name } of list as readonly { readonly name: string }[]) rows.push(await rowOf(name));
    const lines = rows.map(({ name, tier, attentions, nodes, reason }) =>
      ['', name, nodes, tier, attentions || '', reason, ''].join(' | ').trim(),
    );
    console.log(['| graph | operators | tier | attentions | reason |', '|---|---|---|---|---|', ...lines].join('\n'));
    for (const { name, tier, reason } of rows) {
      expect(tier, name).toBe(name in REFUSED ? 'refused' : 'steered');
      if (name in REFUSED) expect(reason, name).toMatch(REFUSED[name] ?? '');
    }
  });
});
