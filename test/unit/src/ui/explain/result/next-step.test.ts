import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../../../../src/contract/failure.ts';
import { nextStepAfter } from '../../../../../../src/ui/explain/result/next-step.ts';

const UNKNOWN = nextStepAfter('SOMETHING_NEW');
/** The page asks for what exists, and asks its own router, not through a transport from outside. */
const UNSEEN = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'FORBIDDEN_ORIGIN', 'PAYLOAD_TOO_LARGE', 'NO_TAB']);

describe('nextStepAfter', () => {
  it.each([...Object.keys(STATUS), 'CONNECTION'].filter((code) => !UNSEEN.has(code)))(
    'has words of its own for %s',
    (code) => {
      expect(nextStepAfter(code)).not.toBe(UNKNOWN);
    },
  );

  it('has a next step for what it does not know', () => {
    expect(UNKNOWN).toMatchObject({ canRetry: true });
  });
});
