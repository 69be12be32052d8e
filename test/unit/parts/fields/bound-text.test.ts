import { describe, expect, it } from 'vitest';
import { boundText } from '../../../../src/parts/fields/bound-text.ts';
import { SECONDS } from '../../../../src/parts/fields/service-fields.tsx';

describe('boundText', () => {
  it.each([
    ['timeoutMs: expected a number ≥ 1000, got 0', 'Time-out: at least 1 second.'],
    ['timeoutMs: expected a number ≤ 3600000, got 4000000', 'Time-out: at most 3,600 seconds.'],
    ['timeoutMs: expected a number, got null', null],
  ])('says %j in the reader’s units', (message, text) => expect(boundText('Time-out', message, SECONDS)).toBe(text));

  it('leaves out a unit that there is none of', () => {
    expect(boundText('Attention strength', 'control_factor: expected a number ≤ 1000, got 5000')).toBe(
      'Attention strength: at most 1,000.',
    );
  });
});
