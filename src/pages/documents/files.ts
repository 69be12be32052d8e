import { answerScoreText, certaintyOf, type DocumentAnswer, type ListedDocument, readyIn, sliceOf } from './answers.ts';
import { documentsWords } from './words.en.ts';
import { escaped, htmlPage } from '../../figures/writers/html-page.ts';
import { pageAt } from '../../files/document.ts';
import { csvText } from '../../files/table/csv-text.ts';
import { languageTag, numberText } from '../../words/language.ts';

/** Answers as a file to download, without those of documents that are no longer in the list. */
export function answersFile(
  format: 'csv' | 'json' | 'markdown' | 'report',
  question: string,
  answers: readonly DocumentAnswer[],
  list: readonly ListedDocument[],
) {
  const findings = findingsOf(answers, list);
  switch (format) {
    case 'csv':
      return file('answers.csv', 'text/csv', csvOf(question, findings));
    case 'json':
      return file('answers.json', 'application/json', jsonOf(question, findings));
    case 'markdown':
      return file('answers.md', 'text/markdown', markdownOf(question, findings));
    case 'report':
      return file('answers.html', 'text/html', reportOf(question, findings));
  }
}

function file(name: string, type: string, text: string) {
  return { name, content: new Blob([text], { type }) };
}

type Finding = ReturnType<typeof findingsOf>[number];

function findingsOf(answers: readonly DocumentAnswer[], list: readonly ListedDocument[]) {
  const sources = new Map(readyIn(list).map(({ id, document }) => [id, document]));
  return answers.flatMap((found) => {
    const source = sources.get(found.document);
    if (!source) return [];
    const { name, text, layout } = source;
    const { answer, sentence } = found;
    const before = text.slice(0, answer.start);
    return [
      {
        answer: sliceOf(text, answer),
        score: found.score,
        certainty: certaintyOf(found),
        document: name,
        /** From 1; null if the document has no pages. */
        page: layout.type === 'pages' ? pageAt(layout, answer.start) + 1 : null,
        sentence: sliceOf(text, sentence),
        passage: sliceOf(text, found.passage),
        /** Of the answer in the document, in code points as in the API. */
        start: [...before].length,
        before: text.slice(sentence.start, answer.start),
        after: text.slice(answer.start + answer.length, sentence.start + sentence.length),
      },
    ];
  });
}

function factsOf({ certainty, score, document, page }: Finding): string {
  const { answers, save } = documentsWords();
  const source = page === null ? document : `${document}, ${answers.page(numberText(page))}`;
  return `${answers.certainty[certainty]}, ${answers.score(answerScoreText(score))}. ${save.source(source)}`;
}

/** A page that opens in any browser: each answer with its sentence and its passage. */
function reportOf(question: string, findings: readonly Finding[]): string {
  const { save } = documentsWords();
  const title = save.reportTitle(question);
  const sections = findings.map((finding) => {
    const { answer, sentence, before, after, passage } = finding;
    return [
      `<h2 dir="auto">${escaped(answer)}</h2>`,
      `<p>${escaped(factsOf(finding))}</p>`,
      `<p dir="auto">${escaped(before)}<b>${escaped(answer)}</b>${escaped(after)}</p>`,
      sentence === passage
        ? ''
        : `<details><summary>${escaped(save.passage)}</summary><pre dir="auto">${escaped(passage)}</pre></details>`,
    ].join('\n');
  });
  const body = [`<h1>${escaped(title)}</h1>`, ...sections, `<p>${escaped(save.made)}</p>`];
  return htmlPage({ title, lang: languageTag(), body });
}

/** RFC 4180, a row for each answer. */
function csvOf(question: string, findings: readonly Finding[]): string {
  const columns = ['answer', 'score', 'certainty', 'document', 'page', 'sentence', 'passage', 'start'] as const;
  const rows = findings.map((finding) => [question, ...columns.map((column) => finding[column] ?? '')]);
  return csvText([['question', ...columns], ...rows]);
}

/** Each answer with its sentence, in which it is bold. */
function markdownOf(question: string, findings: readonly Finding[]): string {
  const { reportTitle, made } = documentsWords().save;
  const parts = findings.flatMap((finding) => [
    `## ${inMarkdown(finding.answer)}`,
    inMarkdown(factsOf(finding)),
    `> ${inMarkdown(finding.before)}**${inMarkdown(finding.answer.trim())}**${inMarkdown(finding.after)}`,
  ]);
  return `${[`# ${inMarkdown(reportTitle(question))}`, ...parts, made].join('\n\n')}\n`;
}

/** On one line, with the special characters of Markdown escaped. */
function inMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`);
}

function jsonOf(question: string, findings: readonly Finding[]): string {
  const answers = findings.map(({ before: _, after: __, ...finding }) => finding);
  return JSON.stringify({ question, answers }, null, 2);
}
