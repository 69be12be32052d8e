import { describe, expect, it } from 'vitest';
import { fieldProblems } from '../../../../../src/pages/explain/question/field-problems.tsx';

const of = (message: string) => fieldProblems({ message });

describe('fieldProblems', () => {
  it.each([
    [
      'prompt[0].data: expected at most 1024 tokens, got at least 25715',
      'prompt',
      'The prompt has at least 25,715 tokens; this model reads up to 1,024.',
    ],
    [
      'prompt and target: expected at most 1024 tokens, got 1030',
      'prompt',
      'Prompt and target have about 1,030 tokens; this model reads up to 1,024.',
    ],
    ['target: expected at least one token, got an empty string', 'target', 'Enter a target.'],
    ['control_factor: expected a number ≤ 1000, got 5000', 'factor', 'Attention strength: at most 1,000.'],
    ['control_factor: expected a number ≥ 0, got -1', 'factor', 'Attention strength: at least 0.'],
    [
      'prompt_granularity.delimiter: expected a non-empty string with type "custom", got ""',
      'delimiter',
      'Split at: enter at least one character.',
    ],
    [
      'prompt[1].data: expected well-formed Unicode, got a lone surrogate at UTF-16 offset 7',
      'prompt',
      'Prompt: one character is damaged (half of a surrogate pair). Delete it, or paste the text again.',
    ],
    [
      'prompt[0].data: expected a whole PNG file, got 12 bytes that name no size',
      'prompt',
      'The picture is damaged. Remove it, or choose another one.',
    ],
    ['model: expected one of "a", "b", got "nope"', 'model', 'No model named ‘nope’.'],
    [
      'prompt_granularity.type: expected something new, got "x"',
      'granularity',
      'Split prompt by: this value is not accepted. Choose another one.',
    ],
  ])('says %j by the field that it is about, without its path', (message, field, text) =>
    expect(of(message)).toEqual([{ field, text }]),
  );

  it('names each field of several refusals', () => {
    const message =
      'control_factor: expected a number ≥ 0, got -1; contextual_control_threshold: expected a number, got "a"';
    expect(of(message).map(({ field }) => field)).toEqual(['factor', 'similarity']);
  });

  it.each(['expected an answer within 300 s, got none', 'hosting: expected null, got "x"', 'The worker ended.'])(
    'finds no field for %j',
    (message) => expect(of(message)).toEqual([]),
  );
});
