import { resultWords } from '../../words/en/explain/result.ts';
import { useStoreValue } from '../use-stores.ts';
import { runText, spokenProgress } from './prompt/question-texts.ts';
import { captionOf } from './result/head/caption.ts';

/** Tells screen readers what happens: the start, each quarter, and the result in a sentence. Problems speak for themselves. */
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
        const { lead, detail } = captionOf(phase.value, 'whole');
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
