import { beforeAll, describe, it } from 'vitest';
import { routerWay } from '../support/fakes/router-way.ts';
import { createAsk, type Ask } from './rows/ask.ts';
import { SUITE } from './rows/suite.ts';

/** The same rows with real models, by every way in: test/e2e/ways-in/ways-in.spec.ts. */
describe('the contract, row by row, at the router', () => {
  let ask: Ask;
  beforeAll(() => {
    const { way, described } = routerWay();
    ask = createAsk(way, described);
  });

  describe.each(SUITE)('$title', ({ rows }) => {
    it.each(rows)('$rule ($source)', ({ check }) => check(ask));
  });
});
