import type { Answer } from '../../../state/documents/answers.ts';
import { csvOf, jsonOf, markdownOf, type Finding, findingsOf } from '../../../state/documents/export.ts';
import type { Listed } from '../../../state/documents/listed.ts';
import { spokenTag } from '../../../words/spoken.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { numberText } from '../../../words/numbers.ts';
import { escaped } from '../../explain/export/writers/escape.ts';
import { htmlPage } from '../../explain/export/writers/html-page.ts';
import { scoreText } from '../answers/answer-texts.ts';

/** How answers are saved. */
export type AnswerFormat = 'csv' | 'json' | 'markdown' | 'report';

/** Answers as a file to download. */
export function fileOf(format: AnswerFormat, question: string, answers: readonly Answer[], list: readonly Listed[]) {
  const findings = findingsOf(answers, list);
  switch (format) {
    case 'csv':
      return file('answers.csv', 'text/csv', csvOf(question, findings));
    case 'json':
      return file('answers.json', 'application/json', jsonOf(question, findings));
    case 'markdown':
      return file('answers.md', 'text/markdown', markdownText(question, findings));
    case 'report':
      return file('answers.html', 'text/html', reportOf(question, findings));
  }
}

function file(name: string, type: string, text: string) {
  return { name, content: new Blob([text], { type }) };
}

/** The answers as a page that opens anywhere: each with its sentence, its passage and where they stand. */
export function reportOf(question: string, findings: readonly Finding[]): string {
  const words = documentsWords();
  const title = words.save.reportTitle(question);
  const body = [`<h1>${escaped(title)}</h1>`, ...findings.map(findingHtml), `<p>${escaped(words.save.made)}</p>`];
  return htmlPage({ title, lang: spokenTag(), body });
}

function markdownText(question: string, findings: readonly Finding[]): string {
  const { reportTitle, made } = documentsWords().save;
  return markdownOf(findings, { title: reportTitle(question), facts: factsOf, made });
}

/** How sure an answer is, and where it stands. */
function factsOf({ certainty, score, document, page }: Finding): string {
  const { answers, save } = documentsWords();
  const place = page === null ? document : `${document}, ${answers.page(numberText(page))}`;
  return `${answers.certainty[certainty]}, ${answers.score(scoreText(score))}. ${save.source(place)}`;
}

function findingHtml(finding: Finding): string {
  const { answer, sentence, before, after, passage } = finding;
  const { save } = documentsWords();
  return [
    `<h2 dir="auto">${escaped(answer)}</h2>`,
    `<p>${escaped(factsOf(finding))}</p>`,
    `<p dir="auto">${escaped(before)}<b>${escaped(answer)}</b>${escaped(after)}</p>`,
    sentence === passage
      ? ''
      : `<details><summary>${escaped(save.passage)}</summary><pre dir="auto">${escaped(passage)}</pre></details>`,
  ].join('\n');
}
