import { Button } from '../../../parts/buttons.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../stores/use-stores.ts';
import styles from './question-panel.module.css';
import { lengthWarning, shortenedPrompt, takesLong } from './question-texts.ts';
import { promptWords } from './words.en.ts';

/** What to do with a prompt that does not fit the model, or that takes long to explain. */
export function LengthAdvice() {
  const { documents, explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const contextTokens = useModelFacts()?.contextTokens;
  const warning = lengthWarning(question, contextTokens);
  const words = promptWords().length;
  const { adjust, edit } = explain.getState();
  const shorten = () => contextTokens !== undefined && edit({ prompt: shortenedPrompt(question, contextTokens) });
  const open = () => {
    void documents.getState().add([new File([question.prompt], 'prompt.txt', { type: 'text/plain' })]);
    location.hash = hashOfPage('documents');
  };
  const isSlow = warning === null && takesLong(question);
  const actions = isSlow
    ? ([
        [words.bySentence, () => adjust({ granularity: 'sentence' })],
        [words.quick, () => adjust({ accuracy: 'quick' })],
      ] as const)
    : ([
        [words.shorten, shorten],
        [words.documents, open],
      ] as const);
  return (
    <div className={styles.advice}>
      <span role="status">{isSlow ? words.slow : warning}</span>
      {(isSlow || warning !== null) &&
        actions.map(([label, act]) => (
          <Button key={label} look="quiet" onClick={act}>
            {label}
          </Button>
        ))}
    </div>
  );
}
