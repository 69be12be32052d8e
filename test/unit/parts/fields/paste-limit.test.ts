import { expect, it } from 'vitest';
import { MAX_PASTED, pasteProblem } from '../../../../src/parts/fields/growing-textarea.tsx';

it('takes what can be laid out at once', () => {
  expect(pasteProblem({ length: MAX_PASTED }, MAX_PASTED)).toBeNull();
});

it('says how long a text is and how long it may be', () => {
  expect(pasteProblem({ length: 60_000_000 }, MAX_PASTED)).toMatch(
    /has 60,000,000 characters; .* accepts 50,000 at a time/,
  );
});
