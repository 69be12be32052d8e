import { expect, it } from 'vitest';
import { MOST_PASTED, pasteProblem } from '../../../../../../src/ui/parts/fields/paste-limit.ts';

it('takes what can be laid out at once', () => {
  expect(pasteProblem({ length: MOST_PASTED }, MOST_PASTED)).toBeNull();
});

it('says how long a text is and how long it may be', () => {
  expect(pasteProblem({ length: 60_000_000 }, MOST_PASTED)).toMatch(
    /has 60,000,000 characters; .* takes 50,000 at once/,
  );
});
