import { captionOf } from '../../figures/caption.ts';
import { resultWords } from '../../figures/words.en.ts';
import { useStoreValue } from '../../stores/use-stores.ts';
import { numberText } from '../../words/language.ts';
import { runText } from './question/question-texts.ts';
import { promptWords } from './question/words.en.ts';

/** Tells screen readers what happens: the start, each quarter, and the outcome in a sentence. Problems have alerts of their own. */
export function Announcer() {
  const phase = useStoreValue('explain', (state) => state.phase);
  const engine = useStoreValue('engine', (state) => state.status);
  const message = () => {
    switch (phase.kind) {
      case 'idle':
      case 'failed':
        return '';
      case 'stopped':
        return resultWords().stopped;
      case 'running':
        return spokenProgress(runText(phase.progress, engine));
      case 'done': {
        const { lead, detail } = captionOf(phase.outcome, 'whole');
        return `${lead} ${detail}`;
      }
    }
  };
  return (
    <p className="visually-hidden" aria-live="polite">
      {message()}
    </p>
  );
}

/** Progress for a screen reader, which would read out every step: only quarters are announced. */
export function spokenProgress({ text, share }: ReturnType<typeof runText>): string {
  if (share === null) return text;
  const percent = Math.floor(share * 4) * 25;
  const words = promptWords().run;
  return percent === 0 ? words.spokenStart : words.spokenShare(numberText(percent));
}
