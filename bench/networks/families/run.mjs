// @ts-check
import { parseArgs } from 'node:util';
import { createServer } from 'vite';

/**
 * Prints what becomes of every graph that exporters wrote: `npm run bench -- graphs --data DIR --families DIR`. DIR of the
 * first has a folder `graphs` with `fixtures.json`; the other is what `test/golden/foreign/make-families.py` has made.
 */
const { values } = parseArgs({ options: { data: { type: 'string' }, families: { type: 'string' } } });
const server = await createServer({ server: { middlewareMode: true }, logLevel: 'error' });
const { graphTable, markdownOf } = /** @type {typeof import('./table.ts')} */ (
  await server.ssrLoadModule('/bench/networks/families/table.ts')
);
const rows = await graphTable({
  data: values.data ?? process.env['LIGHTWELL_DATA'] ?? '../shared/data',
  families: values.families ?? process.env['LIGHTWELL_FAMILIES'] ?? '../shared/families',
});
if (rows.length === 0) throw new Error('expected --data or --families with graphs, got folders without');
console.log(markdownOf(rows));
const usable = rows.filter(({ tier }) => tier !== 'refused').length;
console.log(`${rows.length} graphs, ${usable} rewritten or as exported`);
await server.close();
