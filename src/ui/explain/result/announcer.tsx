import { useEngine, useExplain } from '../../use-stores.ts';
import { captionOf } from './caption.ts';
import { nextStepAfter } from './next-step.ts';
import { runText, spokenProgress } from '../run/run-text.ts';

/** Tells screen readers what happens: the start, each quarter, and the result in a sentence. */
export function Announcer() {
  const phase = useExplain((state) => state.phase);
  const engine = useEngine((state) => state.status);
  const message = () => {
    switch (phase.kind) {
      case 'idle':
        return '';
      case 'running':
        return spokenProgress(runText(phase.progress, engine));
      case 'done': {
        const { lead, detail } = captionOf(phase.value.influence, 'whole', phase.value.question.settings.factor);
        return `${lead} ${detail}`;
      }
      case 'failed':
        return nextStepAfter(phase.problem.code).title;
    }
  };
  return (
    <p className="visually-hidden" aria-live="polite">
      {message()}
    </p>
  );
}
