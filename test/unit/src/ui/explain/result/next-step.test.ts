import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../../../../src/contract/failure.ts';
import { nextStepAfter, problemText } from '../../../../../../src/ui/explain/result/next-step.ts';

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

describe('problemText', () => {
  it.each([
    [
      'prompt[0].data: expected at most 1024 tokens, got at least 25715',
      'The prompt has at least 25,715 tokens; this model reads up to 1,024.',
    ],
    [
      'prompt and target: expected at most 1024 tokens, got 1030',
      'Prompt and target have about 1,030 tokens; this model reads up to 1,024.',
    ],
    ['The worker ended.', 'The worker ended.'],
  ])('says %j in the user’s words', (message, text) => expect(problemText(message)).toBe(text));
});
