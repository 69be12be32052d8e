import { recordWords } from './words.en.ts';
import { numberText } from '../../../words/language.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import card from '../../../parts/layout/card.module.css';
import { useValueOf } from '../../../stores/use-stores.ts';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import panel from '../../../figures/panel.module.css';
import type { Verification } from '../../../client/record.ts';
import type { VariationPhase } from './variations-store.ts';
import { type createRecordStore, UNREADABLE } from './record-store.ts';

/** A dropped record: the progress of its check, and its result in sentences. */
export function RecordCheck({ store }: { readonly store: ReturnType<typeof createRecordStore> }) {
  const { name, phase } = useValueOf(store, (state) => state);
  const words = recordWords();
  if (phase.kind === 'idle') return null;
  return (
    <section className={card.card} aria-label={words.label} data-testid="record-check">
      <div className={panel.blockHead}>
        <h2 className={panel.blockTitle}>{words.title(name)}</h2>
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

function sentencesOf(phase: VariationPhase<Verification>): string[] {
  const words = recordWords();
  if (phase.kind === 'running') return [words.running];
  if (phase.kind === 'done') return verdictOf(phase.value);
  if (phase.kind !== 'failed') return [];
  const { code, message } = phase.problem;
  if (code === UNREADABLE) return [words.unreadable(message)];
  const { title, step } = nextStepAfter(code);
  return [`${title}. ${problemText(message)} ${step}`];
}

function verdictOf(verification: Verification): string[] {
  const { largest, scores, holds, recorded, recomputed, hasSameFiles, mayBeRounding } = verification;
  const words = recordWords();
  const sentence = holds ? words.holds : words.differs;
  const files = hasSameFiles ? words.sameFiles : words.otherFiles;
  return [
    largest === null
      ? words.otherSections
      : sentence(numberText(largest, { maximumSignificantDigits: 2 }), numberText(scores)),
    ...(mayBeRounding ? [words.otherDevice] : []),
    ...(recorded === recomputed ? [] : [words.otherModel(recorded, recomputed)]),
    hasSameFiles === null ? words.unknownFiles : files,
  ];
}
