import { describe, expect, it } from 'vitest';
import { lossOf } from '../../../../src/files/pdf/parser-losses.ts';

describe('lossOf', () => {
  it.each([
    ['Warning: loadFont - translateFont failed: "Error: no table".', 'font'],
    ['Warning: getTextContent - ignoring XObject: "FormatError".', 'damage'],
    ['Info: Bad encoding in flate stream', 'damage'],
    ['Warning: _parsedAnnotations: "FormatError".', 'annotation'],
    ['Warning: Font "F3" is not available -- attempting to fallback to a default font.', null],
    ['Info: page=1 - getTextContent: time=2ms', null],
    ['Warning: TT: undefined function: 3', null],
  ])('takes %s for %s', (message, kind) => {
    expect(lossOf(message)).toBe(kind);
  });
});
