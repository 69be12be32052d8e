import { type CSSProperties, useEffect, useState } from 'react';
import { rankedIn, type Section } from '../../explanations/influence.ts';
import { type Outcome, type Prediction, targetProbability } from '../../explanations/outcome.ts';
import { percentText, quotedTarget, sectionPhrase, strengthText } from '../../figures/texts.ts';
import { resultWords } from '../../figures/words.en.ts';
import { useStores } from '../../stores/use-stores.ts';
import type { ExplainSource } from './explain-store.ts';
import styles from './opening-motion.module.css';
import { bodyWith } from './variations/what-if-store.ts';

/** Factors on the attention to the strongest word, and how often the example goes through them. */
const FACTORS = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
const ROUNDS = 2;
/** How long each factor is shown, ms. */
const STEP_MS = 700;

/** Whether somebody has used the page, or the motion is over; it does not begin again. */
let isOver = false;

interface Step {
  readonly outcome: Outcome;
  readonly factor: number;
  readonly probability: number;
}

/**
 * The example of a first visit in motion: the attention to its strongest word goes down and up again, and the model computes
 * how likely its answer is with each. It stops at the first key or press, and does not begin where less motion is wanted.
 */
export function OpeningMotion({ outcome }: { readonly outcome: Outcome }) {
  const source = useStores().variations.getState().source;
  const [step, setStep] = useState<Step | null>(null);
  const [section] = rankedIn(outcome.influence.prompt, 'whole');
  useEffect(() => {
    if (isOver || !section || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const stopped = new AbortController();
    const { signal } = stopped;
    const stop = () => {
      isOver = true;
      stopped.abort();
    };
    for (const type of ['keydown', 'pointerdown', 'wheel'])
      document.addEventListener(type, stop, { signal, capture: true, passive: true });
    play({ outcome, section, source, signal }, setStep).then(stop, (error: unknown) => {
      if (!signal.aborted) console.error(error); // the page works without it
    });
    return () => stopped.abort();
  }, [outcome, section, source]);
  if (!section || step?.outcome !== outcome) return null; // a later answer is not that of the motion
  const { factor, probability } = step;
  const shares: CSSProperties & Record<`--${string}`, number> = { '--attention': factor, '--probability': probability };
  const target = quotedTarget(outcome.question.target);
  return (
    <div className={styles.motion} style={shares} data-testid="opening">
      <span className={styles.attention} aria-hidden />
      <span>{resultWords().opening.attention(sectionPhrase(section), strengthText(factor))}</span>
      <span className={styles.probability} aria-hidden />
      <span>{resultWords().opening.probability(target, percentText(probability))}</span>
    </div>
  );
}

interface Play {
  readonly outcome: Outcome;
  readonly section: Section;
  readonly source: ExplainSource;
  readonly signal: AbortSignal;
}

/** Shows each factor for a while; each is computed once. Settles at the end, or where the model fails. */
async function play({ outcome, section, source, signal }: Play, show: (step: Step) => void): Promise<void> {
  const known = new Map<number, Prediction>();
  for (let nth = 0; nth < ROUNDS * FACTORS.length && !signal.aborted; nth++) {
    const factor = FACTORS[nth % FACTORS.length] ?? 1;
    const body = bodyWith(outcome, new Map(factor === 1 ? [] : [[section.id, factor]]), source.model);
    const earlier = known.get(factor);
    const answer = earlier
      ? { ok: true as const, value: earlier }
      : await source.client.predict(body, { signal, nice: true });
    if (!answer.ok || signal.aborted) return;
    known.set(factor, answer.value);
    show({ outcome, factor, probability: targetProbability(answer.value) ?? 0 });
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
