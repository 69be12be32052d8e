import { describe, expect, it } from 'vitest';
import { writtenText } from '../../../../../workers/operations/complete/sampler.ts';
import { fakeTokenizer } from '../../../../support/fakes/fake-model.ts';

const tokenizer = fakeTokenizer();

/** What is told after each token, and at the end. */
function told(text: string, stopSequences: readonly string[] = []) {
  const written = writtenText(tokenizer, stopSequences);
  const parts: string[] = [];
  for (const id of tokenizer.tokenize(text).ids) {
    if (written.isStopped) break;
    written.push(id);
    parts.push(written.fresh(false));
  }
  parts.push(written.fresh(true));
  return { written, parts };
}

describe('writtenText', () => {
  it.each(['An apple a day', 'Grüße, 你好 and 👩‍👩‍👧 too', ' \n\n x'])('tells %j in whole characters', (text) => {
    const { parts, written } = told(text);
    expect(parts.join('')).toBe(text);
    expect(written.text).toBe(text);
    expect(parts.join('|')).not.toContain('\uFFFD');
  });

  it('never tells the beginning of a stop sequence', () => {
    const { parts, written } = told('One two. Three four.', ['. Three']);
    expect(parts.join('')).toBe('One two');
    expect(written.text).toBe('One two');
    expect(written.isStopped).toBe(true);
    expect(written.raw).toContain('One two. Three');
  });

  it('tells what only looked like a stop sequence', () => {
    expect(told('One two. Four', ['. Three']).parts.join('')).toBe('One two. Four');
    expect(told('One two.', ['. Three']).parts.join('')).toBe('One two.');
  });

  it('stops at the first of several', () => {
    expect(told('a b c d', ['d', 'c', ' b']).written.text).toBe('a');
  });
});
