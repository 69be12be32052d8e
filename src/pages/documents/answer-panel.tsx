import { type KeyboardEvent, useRef, useState } from 'react';
import {
  answerScoreText,
  answersIn,
  certaintyOf,
  DOCUMENT_VIEW,
  type DocumentAnswer,
  isShown,
  readyIn,
  segmentsOf,
  sliceOf,
  unansweredIn,
} from './answers.ts';
import { missingWords } from './missing-words.ts';
import { asksYesNo } from './yes-no.ts';
import { documentsWords } from './words.en.ts';
import { Button, CopyButton, saveFile, scrollIfBelow } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText, listText, numberText } from '../../words/language.ts';
import { type DocumentLayout, pageAt } from '../../files/document.ts';
import type { Question } from '../../explanations/question.ts';
import { NotRead } from '../../parts/feedback/not-read.tsx';
import { hashOfPage } from '../../stores/page-store.ts';
import styles from './answers.module.css';

/** Answers that are shown at first, and added with each press. */
const STEP = 5;

/** The answers, best first, after a note if none is likely. */
export function AnswerPanel() {
  const words = documentsWords().answers;
  const asked = useStoreValue('documents', (state) => state.asked);
  const list = useStoreValue('documents', (state) => state.list);
  const phase = useStoreValue('documents', (state) => state.phase.kind);
  if (!asked || phase === 'failed') return null;
  const all = answersIn({ asked, list });
  const answers = all.filter(isShown);
  const isOver = phase !== 'running';
  return (
    <section className={styles.panel} aria-labelledby="answers-title" id="answers" data-testid="answers">
      <h2 id="answers-title" className={styles.title}>
        {isOver ? words.to(asked.question) : words.soFar}
      </h2>
      <div role="status">
        {phase === 'stopped' && asked.read && (
          <p className={styles.note}>{words.stopped(asked.read.done, asked.read.total)}</p>
        )}
        {isOver && <AddedSince />}
        {isOver && <Uncertain best={all[0]} />}
        {answers.length > 0 && asksYesNo(asked.question) && (
          <p className={styles.note} data-testid="yes-no">
            {words.yesNo}
          </p>
        )}
      </div>
      <Answers key={asked.question} answers={answers} question={asked.question} />
      {isOver && answers.length > 0 && <SaveRow question={asked.question} answers={answers} />}
    </section>
  );
}

function AddedSince() {
  const words = documentsWords().answers;
  const { documents } = useStores();
  const added = useStoreValue('documents', unansweredIn);
  if (added === 0) return null;
  return (
    <p className={styles.note}>
      {countText(added, words.added)}{' '}
      <Button look="quiet" onClick={() => void documents.getState().ask()}>
        {words.again}
      </Button>
    </p>
  );
}

/** Says that nothing was found, or that no answer is likely. */
function Uncertain({ best }: { readonly best: DocumentAnswer | undefined }) {
  const words = documentsWords().answers;
  if (best && isShown(best))
    return certaintyOf(best) === 'likely' ? null : <p className={styles.note}>{words.onlyPerhaps}</p>;
  return (
    <div className={styles.none} data-testid="no-answer">
      <p className={styles.noneTitle}>{words.none}</p>
      <p>{best ? words.noneDetail(answerScoreText(best.score)) : words.nothingRead}</p>
    </div>
  );
}

function Answers({ answers, question }: { readonly answers: readonly DocumentAnswer[]; readonly question: string }) {
  const words = documentsWords().answers;
  const [shown, setShown] = useState(STEP);
  const cards = useRef<HTMLOListElement>(null);
  const shownAnswers = answers.slice(0, shown);
  const hidden = answers.length - shown;
  return (
    <>
      {shownAnswers.length > 0 && (
        <ol className={styles.list} ref={cards}>
          {shownAnswers.map((answer) => (
            <AnswerCard
              key={`${answer.document} ${answer.passage.start}`}
              answer={answer}
              question={question}
              onKeyDown={(event) => moveFocus(event, cards.current)}
            />
          ))}
        </ol>
      )}
      {hidden > 0 && (
        <Button look="quiet" onClick={() => setShown(shown + STEP)}>
          {words.more(Math.min(hidden, STEP))}
        </Button>
      )}
      {shownAnswers.length > 1 && <p className={styles.note}>{words.keys}</p>}
    </>
  );
}

/** The arrow keys move the focus between answers. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !list) return;
  const cards = [...list.querySelectorAll<HTMLElement>('[data-answer]')];
  const current = cards.findIndex((card) => card.closest('li')?.contains(document.activeElement));
  const next = cards[current + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** File formats of answers; the module that writes them loads with the first file. */
const FORMATS = ['csv', 'json', 'markdown', 'report'] as const;

function SaveRow({ question, answers }: { readonly question: string; readonly answers: readonly DocumentAnswer[] }) {
  const words = documentsWords().save;
  const { documents } = useStores();
  const [saved, setSaved] = useState('');
  const save = async (format: (typeof FORMATS)[number]) => {
    const { answersFile } = await import('./files.ts');
    const { name, content } = answersFile(format, question, answers, documents.getState().list);
    saveFile(name, content);
    setSaved(words.saved(name));
  };
  return (
    <div className={styles.saveRow} role="group" aria-label={words.label}>
      <span>{words.label}</span>
      {FORMATS.map((format) => (
        <Button key={format} onClick={() => void save(format)} data-testid={`save-${format}`}>
          {words[format]}
        </Button>
      ))}
      <Button onClick={() => print()}>{words.print}</Button>
      <span role="status">{saved}</span>
    </div>
  );
}

/** An answer with its sentence, its certainty and its source. Pressing it shows it in its document. */
function AnswerCard({
  answer,
  question,
  onKeyDown,
}: {
  readonly answer: DocumentAnswer;
  readonly question: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}) {
  const words = documentsWords().answers;
  const { documents, explain } = useStores();
  const entry = useStoreValue('documents', ({ list }) => list.find(({ id }) => id === answer.document));
  const isChosen = useStoreValue('documents', ({ chosen }) => chosen === answer);
  const [ready] = readyIn(entry ? [entry] : []);
  if (!ready) return null;
  const { name, text, layout, unread } = ready.document;
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
    <li className={styles.card} data-certainty={certaintyOf(answer)} {...(isChosen && { 'data-active': true })}>
      <button
        type="button"
        className={styles.answer}
        aria-pressed={isChosen}
        data-answer
        data-testid="answer"
        onClick={show}
        onKeyDown={onKeyDown}
      >
        <AnswerText answer={answer} text={text} isDecidedBySentence={asksYesNo(question)} />
        {missing.length > 0 && (
          <span className={styles.missing} data-testid="missing-words">
            {words.missing(listText(missing.map(words.quoted)))}
          </span>
        )}
        <span className={styles.source}>{source}</span>
        <NotRead parts={unread} />
      </button>
      <div className={styles.actions}>
        <Button onClick={openExplanation} onKeyDown={onKeyDown} data-testid="explain-answer">
          {words.explain}
        </Button>
        <CopyButton label={words.copy} text={() => copyText(question, text, answer, source)} onKeyDown={onKeyDown} />
      </div>
    </li>
  );
}

/** Certainty, answer and sentence; the sentence alone where the question asks for yes or no, which the reader does not tell. */
function AnswerText({
  answer,
  text,
  isDecidedBySentence,
}: {
  readonly answer: DocumentAnswer;
  readonly text: string;
  readonly isDecidedBySentence: boolean;
}) {
  const words = documentsWords().answers;
  return (
    <>
      <span className={styles.facts}>
        <span className={styles.certainty}>{words.certainty[certaintyOf(answer)]}</span>
        <span title={scoreMeaning(answer.score)}>{words.score(answerScoreText(answer.score))}</span>
      </span>
      {!isDecidedBySentence && (
        <strong className={styles.words} dir="auto">
          {sliceOf(text, answer.answer)}
        </strong>
      )}
      <span className={styles.evidence} dir="auto" data-testid="evidence">
        {segmentsOf(answer.sentence, answer).map((segment) => {
          const Tag = segment.kind === 'answer' ? 'mark' : 'span';
          return <Tag key={segment.start}>{sliceOf(text, segment)}</Tag>;
        })}
      </span>
    </>
  );
}

function goToExplain(): void {
  location.hash = hashOfPage('explain');
}

/** The document counts as visible if the window shows at least this share of its height below the document's top: a mark is in its middle. */
const VISIBLE_SHARE = 0.6;

/** Scrolls to the document if it is below the answers. */
export function scrollToDocument(): void {
  scrollIfBelow(DOCUMENT_VIEW, VISIBLE_SHARE);
}

/** How many of ten answers with such a score were right in the evaluation. */
function scoreMeaning(score: number): string {
  return documentsWords().answers.scoreAbout(Math.min(9, Math.round(score * 10)));
}

/** The document of an answer, with the page if it has pages. */
export function sourceText(name: string, layout: DocumentLayout, { answer }: DocumentAnswer): string {
  if (layout.type === 'blocks') return name;
  return `${name}, ${documentsWords().answers.page(numberText(pageAt(layout, answer.start) + 1))}`;
}

/** Question, answer, sentence and source as lines of text. */
function copyText(question: string, text: string, answer: DocumentAnswer, source: string): string {
  const { answers, save } = documentsWords();
  const facts = `${answers.certainty[certaintyOf(answer)]}, ${answers.score(answerScoreText(answer.score))}`;
  const found = asksYesNo(question) ? facts : `${sliceOf(text, answer.answer)} (${facts})`;
  return [question, found, sliceOf(text, answer.sentence), save.source(source)].join('\n');
}

/**
 * The question for the Explain page: the paragraph of an answer and the question as the prompt, in the form of that page's
 * examples, and the answer as the target.
 *
 * @param settings  of that page; sections become words, and similar tokens, as a picture wants, are not dimmed too
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
    settings: { ...settings, granularity: 'word', similarity: null },
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
