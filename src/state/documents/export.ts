import { pageAt } from '../../files/document.ts';
import { csvText } from '../explain/export.ts';
import { type Answer, type Certainty, certaintyOf, sliceOf } from './answers.ts';
import { type Listed, readyIn } from './listed.ts';

/** An answer with everything that is needed to check it. */
export interface Finding {
  readonly answer: string;
  readonly score: number;
  readonly certainty: Certainty;
  readonly document: string;
  /** From 1; null where a document has no pages. */
  readonly page: number | null;
  readonly sentence: string;
  /** Parts of the sentence before and behind the answer. */
  readonly before: string;
  readonly after: string;
  readonly passage: string;
  /** Of the answer in the document's text, code points as everywhere on the wire. */
  readonly start: number;
}

/** Answers of documents that are in the list. */
export function findingsOf(answers: readonly Answer[], list: readonly Listed[]): Finding[] {
  const sources = new Map(readyIn(list).map(({ id, document }) => [id, document]));
  return answers.flatMap((each) => {
    const source = sources.get(each.document);
    if (!source) return [];
    const { name, text, layout } = source;
    const { answer, sentence } = each;
    const end = answer.start + answer.length;
    return {
      answer: sliceOf(text, answer),
      score: each.score,
      certainty: certaintyOf(each),
      document: name,
      page: layout.type === 'pages' ? pageAt(layout, answer.start) + 1 : null,
      sentence: sliceOf(text, sentence),
      before: text.slice(sentence.start, answer.start),
      after: text.slice(end, sentence.start + sentence.length),
      passage: sliceOf(text, each.passage),
      start: [...text.slice(0, answer.start)].length,
    };
  });
}

/** A row for each answer, RFC 4180. */
export function csvOf(question: string, findings: readonly Finding[]): string {
  const head = ['question', 'answer', 'score', 'certainty', 'document', 'page', 'sentence', 'passage', 'start'];
  const rows = findings.map(({ answer, score, certainty, document, page, sentence, passage, start }) => [
    ...[question, answer, score, certainty, document],
    ...[page ?? '', sentence, passage, start],
  ]);
  return csvText([head, ...rows]);
}

/** What a text of answers says beside them. */
export interface FindingsTexts {
  readonly title: string;
  /** How sure an answer is, and where it is from. */
  readonly facts: (finding: Finding) => string;
  readonly made: string;
}

/** The same as Markdown: each answer with its sentence, in which it is bold. */
export function markdownOf(findings: readonly Finding[], { title, facts, made }: FindingsTexts): string {
  const parts = findings.map((finding) => {
    const { answer, before, after } = finding;
    return [
      `## ${inMarkdown(answer)}`,
      inMarkdown(facts(finding)),
      `> ${inMarkdown(before)}**${inMarkdown(answer.trim())}**${inMarkdown(after)}`,
    ].join('\n\n');
  });
  return `${[`# ${inMarkdown(title)}`, ...parts, made].join('\n\n')}\n`;
}

/** On one line, and without a meaning that Markdown gives to signs. */
function inMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`);
}

/** The same as JSON. */
export function jsonOf(question: string, findings: readonly Finding[]): string {
  const answers = findings.map(({ before: _, after: __, ...finding }) => finding);
  return JSON.stringify({ question, answers }, null, 2);
}
