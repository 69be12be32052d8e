import { useEffect, useMemo, useState } from 'react';
import { type Contradiction, type CrossCheck, isDoubtful } from '../../../../state/explain/scores/cross-check.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { DEFAULT_SETTINGS } from '../../../../state/explain/question.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useStores } from '../../../use-stores.ts';
import { factorText, natsText, sectionPhrase, timesText } from '../../texts.ts';
import styles from '../result-panel.module.css';

/** What shows more where long sections are dimmed, and where sections are strengthened. */
const SPLIT = { label: 'Split by word', change: { granularity: 'word' } } as const;
const DIM = { label: 'Dim sections instead', change: { factor: DEFAULT_SETTINGS.factor } } as const;

/** Says where deleting a section contradicts its score, and offers a better question; or that nothing contradicts. */
export function DeletionNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const check = useCrossCheck(outcome);
  if (check === 'running') return <p className={styles.note}>Checking the strongest sections by deleting them</p>;
  if (!check) return null;
  const { checked, contradictions } = check;
  if (contradictions.length === 0) return <p className={styles.note}>{agreementText(checked)}</p>;
  const { factor } = outcome.question.settings;
  const { label, change } = factor > 1 ? DIM : SPLIT;
  const askAgain = () => {
    explain.getState().adjust(change);
    void explain.getState().run();
  };
  return (
    <div className={styles.contradiction} data-testid="contradiction">
      {contradictions.map((each) => (
        <p key={each.section.id}>{contradictionText(each, factor)}</p>
      ))}
      <Button onClick={askAgain}>{label}</Button>
    </div>
  );
}

/** Null where there is nothing to check, as where the sections are single words. */
function useCrossCheck(outcome: Outcome): CrossCheck | 'running' | null {
  const { explain } = useStores();
  const isChecked = useMemo(() => outcome.modelVersion !== null && isDoubtful(outcome), [outcome]);
  const [found, setFound] = useState<{ readonly of: Outcome; readonly check: CrossCheck | null } | null>(null);
  useEffect(() => {
    if (!isChecked) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    explain
      .getState()
      .check(outcome, signal)
      .catch(() => null) // aborted by a newer outcome, or no answer came: the result stands without it
      .then((check) => !signal.aborted && setFound({ of: outcome, check }));
    return () => controller.abort();
  }, [explain, isChecked, outcome]);
  if (!isChecked) return null;
  return found?.of === outcome ? found.check : 'running';
}

function agreementText(checked: number): string {
  return checked === 1
    ? 'Deleting the strongest section does not contradict its sign.'
    : `Deleting each of the ${checked} strongest sections contradicts none of their signs.`;
}

function contradictionText({ section, loss }: Contradiction, factor: number): string {
  const effect = section.total > 0 ? 'supports' : 'opposes';
  const change = `${timesText(loss)} ${loss > 0 ? 'less' : 'more'} likely`;
  const name = sectionPhrase(section);
  return `${name} ${effect} the target when ${factorText(factor)} (${natsText(section.total)} nats), but deleting it makes the target ${change}.`;
}
