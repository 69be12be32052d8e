import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { glossaryWords } from '../../../src/parts/live/words.en.ts';
import { learnWords } from '../../../src/pages/learn/words.en.ts';
import { german } from '../../../src/pages/learn/words.de.ts';

const documented = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');

describe('the glossary of the page', () => {
  it.each(Object.keys(glossaryWords().meanings))('has %s from docs/glossary.md', (term) =>
    expect(documented).toMatch(new RegExp(`^\\| ${term} +\\|`, 'm')),
  );

  it('explains every form in which a term is written', () => {
    for (const form of Object.keys(glossaryWords().forms)) {
      const name = form === 'hiddenState' ? 'hidden states' : form.replace(/s$/, '');
      const found = Object.keys(glossaryWords().meanings).some((term) => [form, name, 'hidden states'].includes(term));
      expect(found, form).toBe(true);
    }
  });

  it.each([
    ['English', learnWords()],
    ['German', german.learn],
  ])('knows every term that the lessons name in %s', (_, table) => {
    const names = [...JSON.stringify(table).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(Object.keys(glossaryWords().forms)).toContain(name);
  });
});
