import { useEffect, useMemo, useState } from 'react';
import { type Contradiction, type CrossCheck, isCoarse } from '../../../../state/explain/scores/cross-check.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useStores } from '../../../use-stores.ts';
import { factorText, natsText, sectionPhrase, timesText } from '../../texts.ts';
import styles from '../result-panel.module.css';

/** Says where deleting a long section contradicts its score, and offers the words; or that nothing contradicts. */
export function CoarseNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const check = useCrossCheck(outcome);
  if (check === 'running') return <p className={styles.note}>Checking long sections by deleting them</p>;
  if (!check) return null;
  const { checked, contradictions } = check;
  if (contradictions.length === 0) return <p className={styles.note}>{agreementText(checked)}</p>;
  const split = () => {
    explain.getState().adjust({ granularity: 'word' });
    void explain.getState().run();
  };
  return (
    <div className={styles.contradiction} data-testid="contradiction">
      {contradictions.map((each) => (
        <p key={each.section.id}>{contradictionText(each, outcome.question.settings.factor)}</p>
      ))}
      <Button onClick={split}>Split by word</Button>
    </div>
  );
}

/** Null where there is nothing to check, as where the sections are single words. */
function useCrossCheck(outcome: Outcome): CrossCheck | 'running' | null {
  const { explain } = useStores();
  const isChecked = useMemo(() => outcome.modelVersion !== null && isCoarse(outcome.influence), [outcome]);
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
