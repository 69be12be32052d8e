import { type Answer, certaintyOf, sliceOf } from '../../../state/documents/answers.ts';
import { missingWords } from '../../../state/documents/doubts.ts';
import { explanationOf } from '../../../state/documents/explanation.ts';
import { readyIn, type ReadyDocument } from '../../../state/documents/listed.ts';
import { segmentsOf } from '../../../state/documents/marks.ts';
import { hashOfPage } from '../../../state/page/page-store.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { Button, CopyButton } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { missingText, scoreMeaning, scoreText, sourceText } from './answer-texts.ts';
import styles from './answers.module.css';

/** See `AnswerCard`. */
export interface AnswerCardProps {
  readonly answer: Answer;
  readonly question: string;
}

/** An answer, always with the sentence that it stands in, how sure it is, and where it is from. Pressing it shows it in its document. */
export function AnswerCard({ answer, question }: AnswerCardProps) {
  const ready = useStoreValue('documents', ({ list }) => list.find(({ id }) => id === answer.document));
  const [source] = ready ? readyIn([ready]) : [];
  if (!source) return null;
  return <Card {...{ answer, question, source }} />;
}

function Card({ answer, question, source }: AnswerCardProps & { readonly source: ReadyDocument }) {
  const words = documentsWords().answers;
  const { documents } = useStores();
  const isChosen = useStoreValue('documents', ({ chosen }) => chosen === answer);
  const { name, text, layout } = source.document;
  const certainty = certaintyOf(answer);
  const missing = missingText(missingWords(question, sliceOf(text, answer.sentence)));
  return (
    <li className={styles.card} data-certainty={certainty} {...(isChosen && { 'data-active': true })}>
      <button
        type="button"
        className={styles.answer}
        aria-pressed={isChosen}
        data-answer
        data-testid="answer"
        onClick={() => documents.getState().choose(answer)}
      >
        <span className={styles.facts}>
          <span className={styles.certainty}>{words.certainty[certainty]}</span>
          <span title={scoreMeaning(answer.score)}>{words.score(scoreText(answer.score))}</span>
        </span>
        <strong className={styles.words} dir="auto">
          {sliceOf(text, answer.answer)}
        </strong>
        <Evidence text={text} answer={answer} />
        {missing && (
          <span className={styles.missing} data-testid="missing-words">
            {missing}
          </span>
        )}
        <span className={styles.source}>{sourceText(name, layout, answer)}</span>
      </button>
      <div className={styles.actions}>
        <ExplainButton {...{ answer, question, text }} />
        <CopyButton label={words.copy} text={() => copyText(answer, question, source)} />
      </div>
    </li>
  );
}

/** The sentence with the answer marked in it. */
function Evidence({ text, answer }: { readonly text: string; readonly answer: Answer }) {
  return (
    <span className={styles.evidence} dir="auto" data-testid="evidence">
      {segmentsOf(answer.sentence, answer).map((segment) =>
        segment.kind === 'answer' ? (
          <mark key={segment.start}>{sliceOf(text, segment)}</mark>
        ) : (
          <span key={segment.start}>{sliceOf(text, segment)}</span>
        ),
      )}
    </span>
  );
}

/** Opens the Explain page with the passage, the question and the answer; that page can undo it. */
function ExplainButton({ answer, question, text }: AnswerCardProps & { readonly text: string }) {
  const words = documentsWords().answers;
  const { explain } = useStores();
  const open = () => {
    const { question: before } = explain.getState();
    explain.getState().open(explanationOf(question, text, answer, before.settings));
    location.hash = hashOfPage('explain');
  };
  return (
    <Button onClick={open} data-testid="explain-answer">
      {words.explain}
    </Button>
  );
}

/** Question, answer, sentence and source as lines of text. */
function copyText(answer: Answer, question: string, { document: { name, text, layout } }: ReadyDocument): string {
  const words = documentsWords();
  return [
    question,
    `${sliceOf(text, answer.answer)} (${words.answers.certainty[certaintyOf(answer)]}, ${words.answers.score(scoreText(answer.score))})`,
    sliceOf(text, answer.sentence),
    words.save.source(sourceText(name, layout, answer)),
  ].join('\n');
}
