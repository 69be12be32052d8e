import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../../../src/contract/failure.ts';
import { nextStepAfter } from '../../../../../src/ui/explain/next-step.ts';

const UNKNOWN = nextStepAfter('SOMETHING_NEW');

describe('nextStepAfter', () => {
  it.each([...Object.keys(STATUS), 'CONNECTION'].filter((code) => !['NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(code)))(
    'has words of its own for %s',
    (code) => {
      expect(nextStepAfter(code)).not.toBe(UNKNOWN);
    },
  );

  it('has a next step for what it does not know', () => {
    expect(UNKNOWN).toMatchObject({ canRetry: true });
  });
});
