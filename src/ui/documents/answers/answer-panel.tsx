import { useRef, useState, type KeyboardEvent } from 'react';
import { NO_ANSWER, type Answer } from '../../../state/documents/answers.ts';
import { answersIn, unaskedIn } from '../../../state/documents/documents-store.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { countText, numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { SaveRow } from '../save/save-row.tsx';
import { AnswerCard } from './answer-card.tsx';
import { scoreText } from './answer-texts.ts';
import styles from './answers.module.css';

/** Answers that are shown at first, and more at each press. */
const SHOWN = 5;

/** Doubtful answers that are offered at most; below them are passages about something else. */
const MOST_DOUBTFUL = 10;

/** The answers, best first; where none is more likely than none, that is said first. */
export function AnswerPanel() {
  const words = documentsWords().answers;
  const asked = useStoreValue('documents', (state) => state.asked);
  const list = useStoreValue('documents', (state) => state.list);
  const phase = useStoreValue('documents', (state) => state.phase.kind);
  if (!asked || phase === 'failed') return null;
  const answers = answersIn({ asked, list });
  const clear = answers.filter(({ score }) => score >= NO_ANSWER);
  const doubtful = answers.filter(({ score }) => score < NO_ANSWER).slice(0, MOST_DOUBTFUL);
  const isOver = phase !== 'running';
  return (
    <section className={styles.panel} aria-labelledby="answers-title" id="answers" data-testid="answers">
      <h2 id="answers-title" className={styles.title}>
        {isOver ? words.to(asked.question) : words.soFar}
      </h2>
      <div role="status">
        {phase === 'stopped' && asked.read && (
          <p className={styles.note}>{words.stopped(numberText(asked.read.done), numberText(asked.read.total))}</p>
        )}
        {isOver && <AddedSince />}
        {isOver && clear.length === 0 && <NoAnswer best={answers[0]} passages={answers.length} />}
      </div>
      <Answers key={asked.question} clear={clear} doubtful={isOver ? doubtful : []} question={asked.question} />
      {isOver && answers.length > 0 && <SaveRow question={asked.question} answers={[...clear, ...doubtful]} />}
    </section>
  );
}

/** Says that there are documents which the answers do not cover. */
function AddedSince() {
  const words = documentsWords().answers;
  const { documents } = useStores();
  const added = useStoreValue('documents', unaskedIn);
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

function NoAnswer({ best, passages }: { readonly best: Answer | undefined; readonly passages: number }) {
  const words = documentsWords().answers;
  return (
    <div className={styles.none} data-testid="no-answer">
      <p className={styles.noneTitle}>{words.none}</p>
      <p>{best ? words.noneDetail(numberText(passages), scoreText(best.score)) : words.nothingRead}</p>
    </div>
  );
}

interface AnswersProps {
  readonly clear: readonly Answer[];
  readonly doubtful: readonly Answer[];
  readonly question: string;
}

function Answers({ clear, doubtful, question }: AnswersProps) {
  const words = documentsWords().answers;
  const [shown, setShown] = useState(SHOWN);
  const [showsDoubtful, setShowsDoubtful] = useState(false);
  const cards = useRef<HTMLOListElement>(null);
  const shownAnswers = [...clear.slice(0, shown), ...(showsDoubtful ? doubtful : [])];
  const hidden = clear.length - shown;
  return (
    <>
      {shownAnswers.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only moves the focus among its buttons
        <ol className={styles.list} ref={cards} onKeyDown={(event) => moveFocus(event, cards.current)}>
          {shownAnswers.map((answer) => (
            <AnswerCard key={`${answer.document} ${answer.passage.start}`} {...{ answer, question }} />
          ))}
        </ol>
      )}
      {hidden > 0 && (
        <Button look="quiet" onClick={() => setShown(shown + SHOWN)}>
          {words.more(numberText(Math.min(hidden, SHOWN)))}
        </Button>
      )}
      {doubtful.length > 0 && !showsDoubtful && (
        <Button look="quiet" onClick={() => setShowsDoubtful(true)} data-testid="show-doubtful">
          {words.doubtful(numberText(doubtful.length))}
        </Button>
      )}
      {shownAnswers.length > 1 && <p className={styles.note}>{words.keys}</p>}
    </>
  );
}

/** The arrow keys go from answer to answer. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !list) return;
  const cards = [...list.querySelectorAll<HTMLElement>('[data-answer]')];
  const place = cards.findIndex((card) => card.closest('li')?.contains(document.activeElement));
  const next = cards[place + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
