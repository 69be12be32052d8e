import {
  answerScoreText,
  certaintyOf,
  type DocumentAnswer,
  DOCUMENT_VIEW,
  readyIn,
  segmentsOf,
  sliceOf,
} from './answers.ts';
import { documentsWords } from './words.en.ts';
import { type DocumentLayout, pageAt } from '../../files/document.ts';
import type { Question } from '../../explanations/question.ts';
import { Button, CopyButton } from '../../parts/buttons.tsx';
import { NotRead } from '../../parts/feedback/not-read.tsx';
import { hashOfPage } from '../../stores/page-store.ts';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { listText, numberText } from '../../words/language.ts';
import styles from './answers.module.css';

/** An answer with its sentence, its certainty and its source. Pressing it shows it in its document. */
export function AnswerCard({ answer, question }: { readonly answer: DocumentAnswer; readonly question: string }) {
  const words = documentsWords().answers;
  const { documents, explain } = useStores();
  const entry = useStoreValue('documents', ({ list }) => list.find(({ id }) => id === answer.document));
  const isChosen = useStoreValue('documents', ({ chosen }) => chosen === answer);
  const [ready] = readyIn(entry ? [entry] : []);
  if (!ready) return null;
  const { name, text, layout, unread } = ready.document;
  const certainty = certaintyOf(answer);
  const missing = missingWords(question, sliceOf(text, answer.sentence));
  const source = sourceText(name, layout, answer);
  const show = () => {
    documents.getState().choose(answer);
    scrollToDocument();
  };
  const openExplanation = () => {
    const { question: previous, open } = explain.getState();
    open(explanationOf(question, text, answer, previous.settings));
    goToExplain();
  };
  return (
    <li className={styles.card} data-certainty={certainty} {...(isChosen && { 'data-active': true })}>
      <button
        type="button"
        className={styles.answer}
        aria-pressed={isChosen}
        data-answer
        data-testid="answer"
        onClick={show}
      >
        <span className={styles.facts}>
          <span className={styles.certainty}>{words.certainty[certainty]}</span>
          <span title={scoreMeaning(answer.score)}>{words.score(answerScoreText(answer.score))}</span>
        </span>
        <strong className={styles.words} dir="auto">
          {sliceOf(text, answer.answer)}
        </strong>
        <span className={styles.evidence} dir="auto" data-testid="evidence">
          {segmentsOf(answer.sentence, answer).map((segment) => {
            const Tag = segment.kind === 'answer' ? 'mark' : 'span';
            return <Tag key={segment.start}>{sliceOf(text, segment)}</Tag>;
          })}
        </span>
        {missing.length > 0 && (
          <span className={styles.missing} data-testid="missing-words">
            {words.missing(listText(missing.map(words.quoted)))}
          </span>
        )}
        <span className={styles.source}>{source}</span>
        <NotRead parts={unread} />
      </button>
      <div className={styles.actions}>
        <Button onClick={openExplanation} data-testid="explain-answer">
          {words.explain}
        </Button>
        <CopyButton label={words.copy} text={() => copyText(question, text, answer, source)} />
      </div>
    </li>
  );
}

function goToExplain(): void {
  location.hash = hashOfPage('explain');
}

/** The document counts as visible if the window shows at least this share of its height below the document's top. */
const VISIBLE_SHARE = 0.3;

/** Scrolls to the document if it is below the answers, as on a phone. */
function scrollToDocument(): void {
  const view = document.getElementById(DOCUMENT_VIEW);
  if (view && view.getBoundingClientRect().top > innerHeight * (1 - VISIBLE_SHARE)) view.scrollIntoView();
}

/** How many of ten answers with such a score were right in the evaluation. */
function scoreMeaning(score: number): string {
  const words = documentsWords().answers;
  const tenths = Math.round(score * 10);
  return words.scoreAbout(tenths < 1 ? words.lessThanOne : numberText(Math.min(9, tenths)));
}

/** The document of an answer, with the page if it has pages. */
function sourceText(name: string, layout: DocumentLayout, { answer }: DocumentAnswer): string {
  if (layout.type === 'blocks') return name;
  return `${name}, ${documentsWords().answers.page(numberText(pageAt(layout, answer.start) + 1))}`;
}

/** Question, answer, sentence and source as lines of text. */
function copyText(question: string, text: string, answer: DocumentAnswer, source: string): string {
  const { answers, save } = documentsWords();
  const facts = `${answers.certainty[certaintyOf(answer)]}, ${answers.score(answerScoreText(answer.score))}`;
  return [
    question,
    `${sliceOf(text, answer.answer)} (${facts})`,
    sliceOf(text, answer.sentence),
    save.source(source),
  ].join('\n');
}

/** Question words and function words, which the sentence need not repeat. */
const FUNCTION_WORDS = new Set(
  (
    'a about after all also an and any are as at be been before being but by can could did do does doing during each ' +
    'ever exactly for from get give given had has have having he her here his how i if in into is it its kind long ' +
    'many may me might mine much must my name no not of on one or our out over shall she should so some such than that ' +
    'the their them then there these they this those to under up us was we were what when where whether which while who ' +
    'whom whose why will with within would you your according amount date day happen happens number percent please ' +
    'place sort tell type year'
  ).split(' '),
);

/** Letters that two forms of a word have in common at least at their beginning, and as a share of the shorter form. */
const COMMON_LETTERS = 4;
const COMMON_SHARE = 0.6;

/**
 * Words of an English question that a sentence contains in no form: the more there are, the more likely the sentence answers
 * another question.
 *
 * @returns as written in the question, each once, in its order
 */
export function missingWords(question: string, sentence: string): string[] {
  const present = wordsOf(sentence).map(plain);
  const missing = wordsOf(question)
    .filter((word) => !FUNCTION_WORDS.has(plain(word)))
    .filter((word) => !present.some((other) => isSameWord(plain(word), other)));
  return [...new Map(missing.map((word) => [plain(word), word])).values()];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

function plain(word: string): string {
  return word.toLowerCase().replace(/['’]s$/, '');
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.startsWith(short) && /^(?:s|es|d|ed|ing)$/.test(long.slice(short.length))) return true;
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  return common >= COMMON_LETTERS && common >= short.length * COMMON_SHARE && !/\d/.test(short);
}

/**
 * The question for the Explain page: the paragraph of an answer and the question as the prompt, in the form of that page's
 * examples, and the answer as the target.
 *
 * @param settings  of that page; sections become words
 */
export function explanationOf(
  question: string,
  text: string,
  answer: DocumentAnswer,
  settings: Question['settings'],
): Question {
  const paragraph = paragraphAround(text, answer).replaceAll(/\s+/g, ' ');
  return {
    picture: null,
    prompt: `${paragraph}\nQuestion: ${question.trim()}\nAnswer:`,
    target: ` ${sliceOf(text, answer.answer).replaceAll(/\s+/g, ' ')}`,
    settings: { ...settings, granularity: 'word' },
  };
}

/** The paragraphs of the answer's sentence, within its passage. */
function paragraphAround(text: string, { sentence, passage }: DocumentAnswer): string {
  const read = sliceOf(text, passage);
  const [from, to] = [sentence.start - passage.start, sentence.start + sentence.length - passage.start];
  const before = read.lastIndexOf('\n\n', from);
  const after = read.indexOf('\n\n', to);
  return read.slice(before < 0 ? 0 : before, after < 0 ? undefined : after).trim();
}
