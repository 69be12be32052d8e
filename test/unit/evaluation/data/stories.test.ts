import { describe, expect, it } from 'vitest';
import { storyPrompts } from '../../../../evaluation/data/stories.ts';

/** A token for each letter and space. */
const tokenize = (text: string) => ({
  text,
  ids: Array.from(text, () => 0),
  spans: Array.from(text, (_, start) => ({ start, length: 1 })),
});

const story = (words: number) => `# A title\n\n${'once upon\na '.repeat(words / 3)}##\n`;

describe('storyPrompts', () => {
  it('cuts stories between words, to each length in turn, and leaves out short ones', () => {
    const prompts = storyPrompts([story(150), story(9), story(150)].join('<|doc|>'), { tokenize }, 9);
    expect(prompts.map(({ prompt }) => prompt.length)).toEqual([199, 307]);
    expect(prompts[0]?.prompt).toMatch(/^A title once upon a once .* upon a$/);
    expect(prompts[0]?.target).toBe(' once upon');
    for (const { prompt, target, tokens } of prompts) expect(tokens).toBe(prompt.length + target.length);
  });

  it('stops at the number that is asked for', () => {
    expect(storyPrompts([story(150), story(150)].join('<|doc|>'), { tokenize }, 1)).toHaveLength(1);
  });
});
