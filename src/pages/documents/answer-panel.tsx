import { type KeyboardEvent, useRef, useState } from 'react';
import { AnswerCard } from './answer-card.tsx';
import { answerScoreText, answersIn, type DocumentAnswer, NO_ANSWER, unansweredIn } from './answers.ts';
import { documentsWords } from './words.en.ts';
import { Button, saveFile } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText, numberText } from '../../words/language.ts';
import styles from './answers.module.css';

/** Answers that are shown at first, and added with each press. */
const STEP = 5;

/** Doubtful answers that can be shown; passages below them are about something else. */
const MAX_DOUBTFUL = 10;

/** The answers, best first, after a note if none is more likely right than wrong. */
export function AnswerPanel() {
  const words = documentsWords().answers;
  const asked = useStoreValue('documents', (state) => state.asked);
  const list = useStoreValue('documents', (state) => state.list);
  const phase = useStoreValue('documents', (state) => state.phase.kind);
  if (!asked || phase === 'failed') return null;
  const answers = answersIn({ asked, list });
  const clear = answers.filter(({ score }) => score >= NO_ANSWER);
  const doubtful = answers.filter(({ score }) => score < NO_ANSWER).slice(0, MAX_DOUBTFUL);
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

/** The number of documents that were added after the question. */
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

function NoAnswer({ best, passages }: { readonly best: DocumentAnswer | undefined; readonly passages: number }) {
  const words = documentsWords().answers;
  return (
    <div className={styles.none} data-testid="no-answer">
      <p className={styles.noneTitle}>{words.none}</p>
      <p>{best ? words.noneDetail(numberText(passages), answerScoreText(best.score)) : words.nothingRead}</p>
    </div>
  );
}

function Answers({
  clear,
  doubtful,
  question,
}: {
  readonly clear: readonly DocumentAnswer[];
  readonly doubtful: readonly DocumentAnswer[];
  readonly question: string;
}) {
  const words = documentsWords().answers;
  const [shown, setShown] = useState(STEP);
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
            <AnswerCard key={`${answer.document} ${answer.passage.start}`} answer={answer} question={question} />
          ))}
        </ol>
      )}
      {hidden > 0 && (
        <Button look="quiet" onClick={() => setShown(shown + STEP)}>
          {words.more(numberText(Math.min(hidden, STEP)))}
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

/** Saves or prints the answers, each with its sentence and its source. */
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
