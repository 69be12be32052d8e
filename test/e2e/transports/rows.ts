import { expect } from '@playwright/test';
import { createAsk, type Ask } from '../../conformance/transport/ask.ts';
import { createDescribed, type OpenApi } from '../../conformance/rows/described.ts';
import { SUITE } from '../../conformance/rows/suite.ts';
import type { Transport } from '../../conformance/transport/transport.ts';
import { plain } from '../fixture.ts';

/** Checks each row of the contract through a transport, in a step of its own. A row that is broken is reported, and the others go on. */
export async function checkRows(transport: Transport): Promise<void> {
  const ask = await askThrough(transport);
  for (const { title, rows } of SUITE)
    for (const { rule, source, check } of rows)
      await plain.step(`${title}: ${rule} (${source})`, async () =>
        expect.soft(await brokenIn(check(ask)), rule).toBeUndefined(),
      );
}

/** What comes is judged by what the service says of itself; a wrong shape shows in the first row. */
async function askThrough(transport: Transport): Promise<Ask> {
  const { text } = await transport.send({ method: 'GET', path: '/openapi.json', headers: {} });
  return createAsk(transport, createDescribed(JSON.parse(text) as OpenApi));
}

/** What a row says is broken; undefined where it holds. */
function brokenIn(holds: Promise<void>): Promise<string | undefined> {
  return holds.then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

/** Where an operation is, outside the page: OpenAI's routes have their own root. */
export function outside(path: string): string {
  return path.startsWith('/v1/') ? path : `/api${path}`;
}
