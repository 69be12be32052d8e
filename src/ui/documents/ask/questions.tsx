import { documentsWords } from '../../../words/en/documents.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import styles from './question-form.module.css';

/** So many questions are offered again. */
const MOST_QUESTIONS = 6;

/** Questions that were asked on this page; pressing one asks it again. */
export function Questions() {
  const words = documentsWords().ask;
  const { documents } = useStores();
  const history = useStoreValue('documents', (state) => state.history);
  const current = useStoreValue('documents', (state) => state.asked?.question);
  const suggestions = useStoreValue('documents', (state) => state.suggestions);
  const asked = history.slice(0, MOST_QUESTIONS);
  const others = asked.filter((each) => each !== current);
  const askAgain = (question: string) => {
    documents.getState().edit(question);
    void documents.getState().ask();
  };
  return (
    <>
      <Row label={words.suggestions} questions={suggestions.filter((each) => !asked.includes(each))} onAsk={askAgain} />
      <Row label={words.history} questions={others} onAsk={askAgain} />
    </>
  );
}

interface RowProps {
  readonly label: string;
  readonly questions: readonly string[];
  readonly onAsk: (question: string) => void;
}

function Row({ label, questions, onAsk }: RowProps) {
  if (questions.length === 0) return null;
  return (
    <div className={styles.questions} role="group" aria-label={label}>
      <span>{label}</span>
      {questions.map((question) => (
        <Button key={question} look="quiet" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    </div>
  );
}
