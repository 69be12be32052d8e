import type { RecordStore } from './record-store.ts';
import { recordWords } from './words.en.ts';
import { numberText } from '../../../words/language.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import card from '../../../parts/layout/card.module.css';
import { useValueOf } from '../../../stores/use-stores.ts';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import panel from '../../../figures/panel.module.css';

type RecordPhase = ReturnType<RecordStore['getState']>['phase'];

/** A dropped record: the progress of its check, and its result in sentences. */
export function RecordCheck({ store }: { readonly store: RecordStore }) {
  const phase = useValueOf(store, (state) => state.phase);
  const words = recordWords();
  if (phase.kind === 'none') return null;
  return (
    <section className={card.card} aria-label={words.label} data-testid="record-check">
      <div className={panel.blockHead}>
        <h2 className={panel.blockTitle}>{words.title(phase.name)}</h2>
        <Button look="quiet" onClick={() => store.getState().close()}>
          {words.close}
        </Button>
      </div>
      {phase.kind === 'running' && <ProgressBar label={words.running} share={phase.done / phase.total} />}
      <div role="status">
        {sentencesOf(phase).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  );
}

function sentencesOf(phase: RecordPhase): string[] {
  const words = recordWords();
  switch (phase.kind) {
    case 'none':
      return [];
    case 'running':
      return [words.running];
    case 'unreadable':
      return [words.unreadable(phase.reason)];
    case 'failed': {
      const { title, step } = nextStepAfter(phase.problem.code);
      return [`${title}. ${problemText(phase.problem.message)} ${step}`];
    }
    case 'done':
      return verdictOf(phase);
  }
}

function verdictOf({ verification }: Extract<RecordPhase, { kind: 'done' }>): string[] {
  const { largest, scores, holds, recorded, recomputed, hasSameFiles, mayBeRounding } = verification;
  const words = recordWords();
  const sentence = holds ? words.holds : words.differs;
  const files = hasSameFiles ? words.sameFiles : words.otherFiles;
  return [
    largest === null ? words.otherSections : sentence(natsText(largest), numberText(scores)),
    ...(mayBeRounding ? [words.otherDevice] : []),
    ...(recorded === recomputed ? [] : [words.otherModel(recorded, recomputed)]),
    hasSameFiles === null ? words.unknownFiles : files,
  ];
}

/** Small differences by their size, such as `0.0000021`. */
function natsText(nats: number): string {
  return numberText(nats, { maximumSignificantDigits: 2 });
}
