import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitCard } from '../../../src/stores/model-card.ts';

describe('splitCard', () => {
  it('parts facts and text', () => {
    const file = '---\nlanguage: en\nlicense: "cc-by-4.0"\ntags: [onnx, \'a b\']\n---\n\n# Name\n\n---\nnot: a fact\n';
    expect(splitCard(file)).toEqual({
      facts: [
        { name: 'language', values: ['en'] },
        { name: 'license', values: ['cc-by-4.0'] },
        { name: 'tags', values: ['onnx', 'a b'] },
      ],
      text: '# Name\n\n---\nnot: a fact\n',
    });
  });

  it('reads lists of lines and the line ends of Windows', () => {
    const file = '---\r\ndatasets:\r\n  - rajpurkar/squad\r\n- other\r\nempty:\r\n---\r\ntext';
    expect(splitCard(file)).toEqual({
      facts: [{ name: 'datasets', values: ['rajpurkar/squad', 'other'] }],
      text: 'text',
    });
  });

  it.each([
    ['has no front matter', '# Name\n\n---\na: b\n---\n'],
    ['never closes it', '---\na: b\n'],
    ['is empty', ''],
  ])('takes a file for text that %s', (_, file) => {
    expect(splitCard(file)).toEqual({ facts: [], text: file });
  });

  it.each(['base', 'embed', 'reader'])('reads the card of lightwell-%s', (name) => {
    const file = readFileSync(new URL(`../../../public/models/lightwell-${name}/README.md`, import.meta.url), 'utf8');
    const { facts, text } = splitCard(file);
    expect(facts.map((fact) => fact.name)).toEqual(expect.arrayContaining(['language', 'license', 'tags']));
    expect(text.startsWith(`# lightwell-${name}\n`)).toBe(true);
  });
});
