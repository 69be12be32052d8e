import { describe, expect, it } from 'vitest';
import { place } from '../../support/onnx/place.ts';

/** Neutral controls may differ from the file by so much where it computes in 16 bits: the rewrite changes what is fused. */
const LIMIT = 3e-2;
const LEAST = { graphs: 40, usable: 36 } as const;

const { data, families } = place;
if (data === null) console.log('Skipped, families: no folder ../shared/data (or LIGHTWELL_DATA)');
if (families === null) console.log('Skipped, families: no folder ../shared/families (or LIGHTWELL_FAMILIES)');

// The reason is printed above.
describe.skipIf(data === null || families === null)('graphs of exporters and of families', () => {
  it('are rewritten or run as exported, with the numbers of their files', async () => {
    const { graphTable, markdownOf } = await import('../../../bench/networks/families/table.ts');
    const rows = await graphTable({ data, families });
    console.log(markdownOf(rows));
    expect(rows.length).toBeGreaterThanOrEqual(LEAST.graphs);
    expect(rows.filter(({ tier }) => tier !== 'refused').length).toBeGreaterThanOrEqual(LEAST.usable);
    for (const { name, neutral = 0, batch = 0 } of rows) {
      expect(neutral, `${name}: neutral against its file`).toBeLessThanOrEqual(LIMIT);
      expect(batch, `${name}: a batch against single runs`).toBeLessThanOrEqual(LIMIT);
    }
  });
});
