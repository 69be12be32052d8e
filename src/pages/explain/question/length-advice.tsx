import { budgetOf, granularityOf, type Question } from '../../../explanations/question.ts';
import { Button } from '../../../parts/buttons.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../stores/use-stores.ts';
import styles from './question-panel.module.css';
import { numberText } from '../../../words/language.ts';
import { tokenEstimate } from '../../../explanations/token-estimate.ts';
import { promptWords } from './words.en.ts';

/** What an explanation by a server sends to it; and what to do with a prompt that does not fit the model, or that takes long to explain. */
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
      {upstream !== null && question.prompt.trim() !== '' && <RequestNote question={question} address={upstream} />}
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

function RequestNote({ question, address }: { readonly question: Question; readonly address: string }) {
  const costOf = useTokenCost();
  const { requests, tokens } = requestEstimate(question);
  return (
    <span data-testid="request-note">
      {promptWords().length.requests(numberText(requests), new URL(address).host, numberText(tokens), costOf(tokens))}
    </span>
  );
}

/** What tokens of a server's model cost; null where no price is known. */
export function useTokenCost(): (tokens: number) => string | null {
  const price = useStoreValue('settings', ({ settings }) => settings.upstream.pricePerMillionTokens);
  return (tokens) => (price === null ? null : numberText((price * tokens) / 1e6, { maximumSignificantDigits: 2 }));
}

/** Number of sections that an automatic split aims for. @source contract facts §1.5 */
const AUTO_SECTIONS = 30;

/**
 * What an explanation by deletion sends to a server, about: the prompt for the model's own answer, where no target is given; then
 * prompt and target as they are, and without each section.
 *
 * @returns requests, and the tokens of all of them
 */
export function requestEstimate({ prompt, target, settings }: Pick<Question, 'prompt' | 'target' | 'settings'>) {
  const count = (section: RegExp) => prompt.match(section)?.length ?? 0;
  const word = count(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\p{N}]+/gu);
  const sentence = count(/[^\n.!?]*[^\s.!?][^\n.!?]*/g);
  const paragraph = count(/\S.*(?:\n.*\S.*)*/g);
  const distance = (sections: number) => Math.abs(sections - AUTO_SECTIONS);
  const auto = [word, sentence, paragraph].reduce((best, next) => (distance(next) < distance(best) ? next : best));
  const custom = prompt.split(settings.delimiter).filter((part) => part !== '').length;
  const sections = { token: auto, auto, word, sentence, paragraph, custom }[settings.granularity];
  const requests = sections + (target === '' ? 2 : 1);
  // The sections that are left out are one prompt together.
  return { requests, tokens: requests * tokenEstimate(prompt + target, false) - tokenEstimate(prompt, false) };
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
  const starts = [...prompt.matchAll(/[.!?]\s+|[。！？]\s*|\n+/g)].map(({ 0: end, index }) => index + end.length);
  const start = starts.find((at) => fits(prompt.slice(at)) && prompt.slice(at).trim() !== '');
  if (start !== undefined) return prompt.slice(start);
  let end = [...prompt].slice(-limit);
  while (end.length > 1 && !fits(end.join(''))) end = end.slice(Math.ceil(end.length / 8));
  return end.join('');
}
