import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../../src/contract/failure.ts';
import { nextStepAfter, problemText } from '../../../../src/parts/feedback/next-step.ts';

const UNKNOWN = nextStepAfter('SOMETHING_NEW');
/** The page asks for what exists, and asks its own router, not through a transport from outside. */
const UNSEEN = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'FORBIDDEN_ORIGIN', 'PAYLOAD_TOO_LARGE', 'NO_TAB']);

describe('nextStepAfter', () => {
  it.each([...Object.keys(STATUS), 'CONNECTION'].filter((code) => !UNSEEN.has(code)))(
    'has words of its own for %s',
    (code) => {
      expect(nextStepAfter(code).title).not.toBe(UNKNOWN.title);
    },
  );

  it('has a next step for what it does not know', () => {
    expect(UNKNOWN).toMatchObject({ canRetry: true });
  });
});

describe('problemText', () => {
  it.each([
    [
      'expected an answer within 300 s, got none',
      'No answer within the time-out of 300 s. You can change it in More settings.',
    ],
    [
      'expected a prompt of at most about 700 tokens, which this device has memory for at present, got a longer one',
      'This device currently has memory for about 700 tokens.',
    ],
    ['hosting: expected null, "operator" or "acme", got "x"', ''],
    ['The worker ended.', 'The worker ended.'],
  ])('says %j in the user’s words', (message, text) => expect(problemText(message)).toBe(text));
});
