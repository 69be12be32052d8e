import assert from 'node:assert/strict';
import { MALFORMED, startsWith } from '../../support/malformed.ts';
import { row, type Row } from './row.ts';

const refusals = MALFORMED.map(({ name, path, body, status = 400, code = 'PAYLOAD_ERROR', at }) =>
  row('facts §1.8', `refuses ${name}, and says where`, async (ask) => {
    const refusal = await ask.refused(status, path, body);
    assert.equal(refusal.code, code);
    if (at !== undefined) assert.match(refusal.error, startsWith(at));
  }),
);

/** Every malformed body, and that the service goes on answering behind them. */
export const REFUSAL_ROWS: readonly Row[] = [
  ...refusals,
  row('facts §1.8', 'answers a good request after all these', async (ask) => {
    await ask.ok('/embed', { model: 'lightwell-base', prompt: 'An apple a day' });
  }),
];
