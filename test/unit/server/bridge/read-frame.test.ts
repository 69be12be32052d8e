import { describe, expect, it } from 'vitest';
import { PIECE } from '../../../../src/contract/wire/long-body.ts';
import { MAX_FRAME_BYTES, readFrame } from '../../../../server/bridge/read-frame.ts';

const answer = { type: 'answer', id: 1, status: 200, headers: { 'content-type': 'application/json' }, body: '' };

describe('readFrame', () => {
  it('takes a body for text, whatever it holds', () => {
    for (const body of ['[[[[{"a":[]}]]]]', '\\', '"', '\\"]', ','.repeat(10_000), '{'.repeat(10_000)])
      expect(readFrame(JSON.stringify({ ...answer, body }))).toEqual({ ...answer, body });
  });

  it('has room for the longest piece of an answer, even of control characters', () => {
    const text = JSON.stringify({ ...answer, body: '\0'.repeat(PIECE) });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
    expect(readFrame(text)).toMatchObject({ type: 'answer' });
  });

  it.each([
    ['three levels', JSON.stringify({ ...answer, x: [[1]] }), /levels/],
    ['levels without end', '['.repeat(1_000_000), /levels/],
    ['levels after a string that holds a quote', '{"type":"\\"[","x":[[', /levels/],
    ['many values', `[${'0,'.repeat(1000)}0]`, /values/],
    ['many fields', `{${'"a":0,'.repeat(1000)}"b":0}`, /values/],
    ['a string without end', `{"type":"${'x'.repeat(1000)}`, /JSON/],
    ['a string that ends with a backslash', '{"type":"\\', /JSON/],
    ['closing brackets alone', ']'.repeat(1000), /JSON/],
    [
      'a long frame without a body',
      JSON.stringify({ type: 'end', id: 1, more: 'x'.repeat(100_000) }),
      /^end: .*characters/,
    ],
  ])('says what is wrong with %s', (_name, text, problem) => {
    expect(readFrame(text)).toMatch(problem);
  });
});
