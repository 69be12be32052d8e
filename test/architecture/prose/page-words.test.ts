import { describe, expect, it } from 'vitest';
import { readTree, type Rule } from '../source.ts';
import { numbersRule, wordsRule } from './page-words.ts';

const said = (rule: Rule, text: string): string[] => rule([{ path: 'src/pages/a.tsx', text }]);

const isWords = (path: string): boolean => /\/words\.\w+\.ts$/.test(path);

describe('the pages', () => {
  const pages = readTree('src/app', 'src/pages', 'src/figures', 'src/parts').filter(
    ({ path }) => /\.tsx?$/.test(path) && !isWords(path),
  );

  it('show texts of a words file, and nothing else', () => expect(wordsRule(pages)).toEqual([]));
  it('write numbers as the spoken language does', () => {
    const app = readTree('src').filter(
      ({ path }) => /\.tsx?$/.test(path) && !path.startsWith('src/words/') && !isWords(path),
    );
    expect(numbersRule(app)).toEqual([]);
  });
});

describe('wordsRule', () => {
  it.each([
    '<p>Not running</p>',
    '<p>{count} nats</p>',
    "<p>{isSaved && 'Saved'}</p>",
    "<p>{isOpen ? words.open : 'closed'}</p>",
    '<><b>{name}</b> ends here</>',
    '<p>{`${count} rows`}</p>',
    "<p>{name ?? 'nobody'}</p>",
    '<button aria-label="Close" />',
    '<Field label={`Prompt of ${name}`} />',
    "<img alt={isLarge ? 'large' : ''} />",
  ])('refuses %s', (text) => expect(said(wordsRule, `const a = ${text};`)).toHaveLength(1));

  it.each([
    '<p>{words.lead}</p>',
    "<p>{words.states[state === 'open' ? 'open' : 'closed']}</p>",
    '<p className="lead" data-testid="lead">{lead}: {detail} · {count} %</p>',
    '<code>npm start</code>',
    '<h2>A − B</h2>',
    '<a>Lightwell</a>',
    '<p aria-label={`${name}, ${number}`} />',
    "<p>{texts.get('lead')}</p>",
    "<p>{kind === 'done' && <b />}</p>",
  ])('allows %s', (text) => expect(said(wordsRule, `const a = ${text};`)).toEqual([]));
});

describe('numbersRule', () => {
  it.each(["count.toLocaleString('en')", 'day.toLocaleDateString()', "new Intl.NumberFormat('en')"])(
    'refuses %s',
    (text) => expect(said(numbersRule, `const a = ${text};`)).toHaveLength(1),
  );
  it.each(['score.toFixed(2)', 'new Intl.Segmenter()', 'numberText(count)'])('allows %s', (text) =>
    expect(said(numbersRule, `const a = ${text};`)).toEqual([]),
  );
});
