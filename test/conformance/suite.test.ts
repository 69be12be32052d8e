import { beforeAll, describe, it } from 'vitest';
import { routerTransport } from '../support/fakes/router-transport.ts';
import { createAsk, type Ask } from './transport/ask.ts';
import { SUITE } from './rows/suite.ts';

/** The same rows with real models, through every transport: test/e2e/transports/contract.spec.ts. */
describe('the contract, row by row, at the router', () => {
  let ask: Ask;
  beforeAll(() => {
    const { transport, described } = routerTransport();
    ask = createAsk(transport, described);
  });

  describe.each(SUITE)('$title', ({ rows }) => {
    it.each(rows)('$rule ($source)', ({ check }) => check(ask));
  });
});
