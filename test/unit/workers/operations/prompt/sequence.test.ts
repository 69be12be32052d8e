import { describe, expect, it } from 'vitest';
import type { JobPrompt } from '../../../../../src/protocol/model-job.ts';
import { openingOf, sequenceOf } from '../../../../../workers/operations/prompt/sequence.ts';
import { createFakeModel, fakeTokenizer } from '../../../../support/fakes/fake-model.ts';
import { idsPrompt, textPrompt } from '../../../../support/fakes/jobs.ts';

const tokenizer = fakeTokenizer();
const PLACE = { path: 'prompt[0].data', limit: 100 };
const opened = ({ items: [item] }: JobPrompt, instruction: string) => openingOf(item, instruction, tokenizer, PLACE);

describe('openingOf', () => {
  it('reads a text as it stands behind the instruction', () => {
    const { instruction, text } = opened(textPrompt('the boat'), 'query: ');
    const joint = tokenizer.tokenize('query: the boat').ids;
    expect([...instruction, ...(text?.ids ?? [])]).toEqual(joint);
    expect(joint).not.toEqual([...tokenizer.tokenize('query:').ids, ...tokenizer.tokenize('the boat').ids]);
  });

  it('places the tokens in the text, a space before it left out', () => {
    const { text } = opened(textPrompt('the boat'), 'query: ');
    const [first, last] = [text?.spans[0], text?.spans.at(-1)];
    expect(first?.start).toBe(0);
    expect((last?.start ?? 0) + (last?.length ?? 0)).toBe('the boat'.length);
    expect(text?.text).toBe('the boat');
  });

  it('stands by itself before ids, without the spaces at its end', () => {
    expect(opened(idsPrompt([5]), 'query: ')).toEqual({ instruction: tokenizer.tokenize('query:').ids });
  });

  it('is nothing where there is none', () => {
    expect(opened(textPrompt('the boat'), '')).toEqual({ instruction: [] });
  });

  it('counts against the limit', () => {
    expect(() => openingOf(textPrompt('a'.repeat(2 ** 18)).items[0], 'query: ', tokenizer, PLACE)).toThrow(
      /^prompt\[0\].data: expected at most 100 tokens, got at least/,
    );
  });

  it('takes a text of more characters than its tokens may have, where the tokenizer drops some', () => {
    const text = `Total${' '.repeat(19_000)}5`;
    const dropping = { ...tokenizer, tokenize: (given: string) => tokenizer.tokenize(given.replaceAll(/ +/g, ' ')) };
    expect(openingOf(textPrompt(text).items[0], 'query: ', dropping, PLACE).text?.ids.length).toBeLessThan(100);
  });
});

describe('sequenceOf', () => {
  it('refuses more ids than a call takes as parameters because of their number', async () => {
    const ids = new Array<number>(2_000_000).fill(5);
    await expect(sequenceOf(idsPrompt(ids), createFakeModel())).rejects.toMatchObject({
      failure: { code: 'PROMPT_TOO_LONG' },
    });
  });
});
