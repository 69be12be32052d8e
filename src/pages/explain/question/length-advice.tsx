import { budgetOf, granularityOf, type Question } from '../../../explanations/question.ts';
import { Button } from '../../../parts/buttons.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../stores/use-stores.ts';
import styles from './question-panel.module.css';
import { numberText } from '../../../words/language.ts';
import { tokenEstimate } from './question-texts.ts';
import { promptWords } from './words.en.ts';

/** What to do with a prompt that does not fit the model, or that takes long to explain. */
export function LengthAdvice() {
  const { documents, explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const { contextTokens, upstream = null } = useModelFacts() ?? {};
  const warning = lengthWarning(question, contextTokens);
  const words = promptWords().length;
  const { adjust, edit } = explain.getState();
  const shorten = () => contextTokens !== undefined && edit({ prompt: shortenedPrompt(question, contextTokens) });
  const open = () => {
    void documents.getState().add([new File([question.prompt], 'prompt.txt', { type: 'text/plain' })]);
    location.hash = hashOfPage('documents');
  };
  const isSlow = warning === null && takesLong(question, upstream);
  const actions = isSlow
    ? ([
        [words.bySentence, () => adjust({ granularity: 'sentence' })],
        ...(upstream === null ? [[words.quick, () => adjust({ accuracy: 'quick' })] as const] : []),
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

/** Warns while typing, before a request is refused; null where prompt and target fit or the model is not known. */
export function lengthWarning(
  { picture, prompt, target }: Pick<Question, 'picture' | 'prompt' | 'target'>,
  contextTokens: number | undefined,
): string | null {
  const tokens = tokenEstimate(prompt + target, picture !== null);
  if (contextTokens === undefined || tokens <= contextTokens) return null;
  return promptWords().length.tooLong(numberText(tokens), numberText(contextTokens));
}

/** Tokens from which an explanation by word takes noticeable time. */
const MANY_TOKENS = 250;

/** Whether another split or estimates would save time: every score of a long prompt is computed, one for each word or token. */
export function takesLong(
  { picture, prompt, settings }: Pick<Question, 'picture' | 'prompt' | 'settings'>,
  upstream: string | null = null,
): boolean {
  const isFine = ['word', 'token'].includes(granularityOf(settings, upstream));
  const isExact = budgetOf({ settings }, upstream) === undefined;
  return isFine && isExact && tokenEstimate(prompt, picture !== null) > MANY_TOKENS;
}

/** Share of the model's tokens that a shortened prompt takes: their number is an estimate, and the answer needs some. */
const SHORTENED_SHARE = 0.75;

/** The end of a prompt, which asks, from the beginning of a sentence or line on, so that it fits the model. */
export function shortenedPrompt(
  { picture, prompt, target }: Pick<Question, 'picture' | 'prompt' | 'target'>,
  contextTokens: number,
): string {
  const limit = contextTokens * SHORTENED_SHARE;
  const fits = (text: string) => tokenEstimate(text + target, picture !== null) <= limit;
  const starts = [...prompt.matchAll(/[.!?]\s+|\n+/g)].map(({ 0: end, index }) => index + end.length);
  const start = starts.find((at) => fits(prompt.slice(at)) && prompt.slice(at).trim() !== '');
  return start === undefined ? prompt.slice(-limit) : prompt.slice(start);
}
