import { describe, expect, it } from 'vitest';
import { answersFile } from '../../../../src/pages/documents/files.ts';
import type { ListedDocument } from '../../../../src/pages/documents/answers.ts';
import { readyText } from '../../../support/files/ready-text.ts';

const text = '🍕 is <good>, "they" say. More.';
const { file, document } = readyText(1, text, 'a.pdf');
const pages = { type: 'pages', pieces: [], pages: [{ start: 0, length: text.length, width: 1, height: 1 }] } as const;
const list: ListedDocument[] = [{ id: 1, file, reading: { kind: 'ready', document: { ...document, layout: pages } } }];
const span = (part: string) => ({ start: text.indexOf(part), length: part.length });
const answer = { answer: span('<good>'), sentence: span('🍕 is <good>, "they" say.'), passage: span(text) };
const answers = [
  { document: 1, score: 0.9, ...answer },
  { document: 2, score: 0.9, ...answer },
];
const written = (format: Parameters<typeof answersFile>[0], question: string) =>
  answersFile(format, question, answers, list).content.text();

describe('saved answers', () => {
  it('have what is needed to check them, and none of a document that was removed', async () => {
    expect(JSON.parse(await written('json', 'What?'))).toEqual({
      question: 'What?',
      answers: [
        {
          answer: '<good>',
          score: 0.9,
          certainty: 'likely',
          document: 'a.pdf',
          page: 1,
          start: 5,
          sentence: '🍕 is <good>, "they" say.',
          passage: text,
        },
      ],
    });
  });

  it('are rows of CSV', async () => {
    expect((await written('csv', '=What?')).split('\r\n')).toEqual([
      'question,answer,score,certainty,document,page,sentence,passage,start',
      `'=What?,<good>,0.9,likely,a.pdf,1,"🍕 is <good>, ""they"" say.","🍕 is <good>, ""they"" say. More.",5`,
    ]);
  });

  it('are Markdown in which no text becomes markup', async () => {
    expect(await written('markdown', '*x*')).toBe(
      [
        '# Answers to ‘\\*x\\*’',
        '## \\<good\\>',
        'Likely, score 0.90. Source: a.pdf, page 1',
        '> 🍕 is **\\<good\\>**, "they" say.',
        'Answered with Lightwell by a small language model. Check each answer against its sentence.\n',
      ].join('\n\n'),
    );
  });

  it('are a page without scripts in which no text becomes HTML', async () => {
    const html = await written('report', 'What is <b>?');
    expect(html).toContain('🍕 is <b>&lt;good&gt;</b>, &quot;they&quot; say.');
    expect(html).toContain('What is &lt;b&gt;?');
    expect(html).toContain("default-src 'none'".replaceAll("'", '&#39;'));
  });
});
