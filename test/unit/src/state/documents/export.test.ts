import { describe, expect, it } from 'vitest';
import { csvOf, findingsOf, jsonOf, markdownOf } from '../../../../../src/state/documents/export.ts';
import type { Listed } from '../../../../../src/state/documents/listed.ts';
import { reportOf } from '../../../../../src/ui/documents/save/files.ts';
import { readyText } from '../../../../support/files/ready-text.ts';

const text = '🍕 is <good>, "they" say. More.';
const { file, document } = readyText(1, text, 'a.pdf');
const pages = { type: 'pages', pieces: [], pages: [{ start: 0, length: text.length, width: 1, height: 1 }] } as const;
const list: Listed[] = [{ id: 1, file, reading: { kind: 'ready', document: { ...document, layout: pages } } }];
const span = (part: string) => ({ start: text.indexOf(part), length: part.length });
const answer = { answer: span('<good>'), sentence: span('🍕 is <good>, "they" say.'), passage: span(text) };
const findings = findingsOf(
  [
    { document: 1, score: 0.9, ...answer },
    { document: 2, score: 0.9, ...answer },
  ],
  list,
);

describe('saved answers', () => {
  it('have what is needed to check them, and none of a document that was removed', () => {
    expect(findings).toEqual([
      {
        ...{ answer: '<good>', score: 0.9, certainty: 'likely', document: 'a.pdf', page: 1, start: 5 },
        ...{ sentence: '🍕 is <good>, "they" say.', before: '🍕 is ', after: ', "they" say.', passage: text },
      },
    ]);
  });

  it('are rows of CSV', () => {
    expect(csvOf('=What?', findings).split('\r\n')).toEqual([
      'question,answer,score,certainty,document,page,sentence,passage,start',
      `'=What?,<good>,0.9,likely,a.pdf,1,"🍕 is <good>, ""they"" say.","🍕 is <good>, ""they"" say. More.",5`,
    ]);
  });

  it('are Markdown in which no text becomes markup', () => {
    const written = markdownOf(findings, { title: 'Answers to *x*', facts: ({ document }) => document, made: 'Made.' });
    expect(written).toBe(
      '# Answers to \\*x\\*\n\n## \\<good\\>\n\na.pdf\n\n> 🍕 is **\\<good\\>**, "they" say.\n\nMade.\n',
    );
  });

  it('are JSON', () => {
    expect(JSON.parse(jsonOf('What?', findings))).toMatchObject({
      question: 'What?',
      answers: [{ page: 1, start: 5 }],
    });
  });

  it('are a page without scripts in which no text becomes HTML', () => {
    const html = reportOf('What is <b>?', findings);
    expect(html).toContain('🍕 is <b>&lt;good&gt;</b>, &quot;they&quot; say.');
    expect(html).toContain('What is &lt;b&gt;?');
    expect(html).toContain("default-src 'none'".replaceAll("'", '&#39;'));
  });
});
