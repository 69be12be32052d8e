import { describe, expect, it } from 'vitest';
import { asksYesNo } from '../../../../src/pages/documents/yes-no.ts';

describe('a question for yes or no', () => {
  it.each([
    'Is smoking permitted in the stairwell?',
    ' are dogs allowed',
    'May the tenant keep a cat?',
    'And does the rent include water?',
    'Isn’t the loft part of the letting?',
    'Will the deposit be paid back?',
  ])('is %s', (question) => expect(asksYesNo(question)).toBe(true));

  it.each([
    'Is the rent due on Monday or on Friday?',
    'Can you tell me who signed?',
    'How much is the rent?',
    'Who may keep a cat?',
    'The deposit is',
    'Issue of shares?',
    'May',
    '',
  ])('is not "%s"', (question) => expect(asksYesNo(question)).toBe(false));
});
