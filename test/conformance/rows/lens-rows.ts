import assert from 'node:assert/strict';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import type { LensResponse } from '../../../src/contract/likelihood.ts';
import type { Ask } from '../transport/ask.ts';
import { row, type Row } from './row.ts';

const PROMPT = 'I am a programmer and French. My favourite food is';
const base = { model: 'lightwell-base', prompt: PROMPT };
const SOURCE = 'src/README, POST /lens';

const seen = (ask: Ask, body: object = {}) => ask.ok<LensResponse>('/lens', { ...base, ...body });

/** `POST /lens`. */
export const LENS_ROWS: readonly Row[] = [
  row(SOURCE, 'every layer of /embed predicts, the likeliest tokens first', async (ask) => {
    const embedded = await ask.ok<EmbedResponse>('/embed', { ...base, layers: [-1] });
    const last = Number(Object.keys(embedded.embeddings)[0]?.replace('layer_', ''));
    const { positions } = await seen(ask, { alternatives: 3 });
    assert.equal(positions.length, 1);
    assert.deepEqual(
      positions[0]?.layers.map(({ layer }) => layer),
      Array.from({ length: last + 1 }, (_, layer) => layer),
    );
    for (const { tokens, target } of positions[0]?.layers ?? []) {
      const all = tokens.map(({ log_probability }) => log_probability);
      assert.equal(target, null);
      assert.equal(all.length, 3);
      assert.deepEqual(
        all,
        all.toSorted((a, b) => b - a),
      );
      assert.ok(all.reduce((sum, each) => sum + Math.exp(each), 0) <= 1 + 1e-9);
    }
  }),
  row(SOURCE, 'a target is rated by its first token, with its place among all', async (ask) => {
    const { positions } = await seen(ask, { target: ' pizza with cheese', alternatives: 20 });
    for (const { tokens, target } of positions[0]?.layers ?? []) {
      assert.ok(target);
      const above = tokens.filter(({ log_probability }) => log_probability > target.log_probability + 1e-9).length;
      if (target.rank <= tokens.length) assert.equal(target.rank, above + 1);
      else assert.equal(above, tokens.length);
    }
  }),
  row(SOURCE, 'several positions are those of the last tokens, in order', async (ask) => {
    const { tokens } = await ask.ok<EmbedResponse>('/embed', { ...base, tokens: true });
    const { positions } = await seen(ask, { positions: 4 });
    assert.deepEqual(
      positions.map(({ token }) => token),
      tokens?.slice(-4),
    );
    const [alone] = (await seen(ask)).positions;
    assert.deepEqual(
      positions.at(-1)?.layers.map((layer) => layer.tokens.map(({ token }) => token)),
      alone?.layers.map((layer) => layer.tokens.map(({ token }) => token)),
    );
    assert.equal((await seen(ask, { positions: 64 })).positions.length, tokens?.length);
  }),
  row('interface, Shared request elements', 'controls change every layer but the word embeddings', async (ask) => {
    const controls = [{ start: PROMPT.indexOf('French'), length: 6, factor: 0 }];
    const plain = (await seen(ask)).positions[0]?.layers ?? [];
    const changed =
      (await seen(ask, { prompt: [{ type: 'text', data: PROMPT, controls }] })).positions[0]?.layers ?? [];
    assert.deepEqual(changed[0], plain[0]);
    assert.notDeepEqual(changed.at(-1), plain.at(-1));
  }),
  row(SOURCE, 'counts outside their range are refused with their place', async (ask) => {
    for (const [field, value] of [
      ['alternatives', 0],
      ['alternatives', 21],
      ['positions', 0],
      ['positions', 65],
    ] as const) {
      const { error } = await ask.refused(400, '/lens', { ...base, [field]: value });
      assert.match(error, new RegExp(`^${field}: expected `));
    }
    const { error } = await ask.refused(400, '/lens', { ...base, target: '' });
    assert.match(error, /^target: expected at least one token/);
  }),
  row(SOURCE, 'a model that predicts no tokens cannot', async (ask) => {
    const { code } = await ask.refused(400, '/lens', { ...base, model: 'lightwell-embed' });
    assert.equal(code, 'MISSING_CAPABILITY');
  }),
];
