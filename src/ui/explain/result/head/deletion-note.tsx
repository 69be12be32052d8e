import { useEffect, useMemo, useState } from 'react';
import { type Contradiction, type CrossCheck, isDoubtful } from '../../../../state/explain/scores/cross-check.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { DEFAULT_SETTINGS } from '../../../../state/explain/question.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useStores } from '../../../use-stores.ts';
import { capitalised, changeOf, natsText, sectionPhrase, timesText } from '../../texts.ts';
import styles from '../result-panel.module.css';

/** What shows more where long sections are dimmed, and where sections are strengthened. */
const SPLIT = { label: 'splitByWord', change: { granularity: 'word' } } as const;
const DIM = { label: 'dimInstead', change: { factor: DEFAULT_SETTINGS.factor } } as const;

/** Says where deleting a section contradicts its score, and offers a better question; or that nothing contradicts. */
export function DeletionNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const words = resultWords().deletion;
  const check = useCrossCheck(outcome);
  if (check === 'running') return <p className={styles.note}>{words.checking}</p>;
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
      <Button onClick={askAgain}>{words[label]}</Button>
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
  const words = resultWords().deletion;
  return checked === 1 ? words.agreesOne : words.agrees(numberText(checked));
}

function contradictionText({ section, loss }: Contradiction, factor: number): string {
  const { total } = section;
  const signs = { isSupport: total > 0, isLess: loss > 0 };
  const numbers = { nats: natsText(total), times: timesText(loss) ?? '' }; // a clear loss is never hardly any change
  const what = { section: sectionPhrase(section), change: changeOf(factor) };
  return capitalised(resultWords().deletion.contradicts({ ...what, ...numbers, ...signs }));
}
