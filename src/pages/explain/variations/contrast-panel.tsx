import { type KeyboardEvent, useMemo } from 'react';
import { NEUTRAL_NATS, rankedIn, type Section } from '../../../explanations/influence.ts';
import type { Outcome } from '../../../explanations/outcome.ts';
import heat from '../../../figures/heat/heat-map.module.css';
import { useHeatData } from '../../../figures/heat/heat-map.tsx';
import panel from '../../../figures/panel.module.css';
import { SeparateSelection, useLinkedElement } from '../../../figures/section-links.ts';
import { capitalised, natsText, quoted, quotedTarget, sectionName, sectionPhrase } from '../../../figures/texts.ts';
import { Button, keyOf } from '../../../parts/buttons.tsx';
import { WideTable } from '../../../parts/layout/wide-table.tsx';
import { useStores, useValueOf } from '../../../stores/use-stores.ts';
import { contrastStoreOf, type FoilContrast, isAskingLabel, isLabelOrMark, suggestedFoils } from './contrast-store.ts';
import styles from './contrast.module.css';
import { VariationResult } from './variation-parts.tsx';
import { contrastWords } from './words.en.ts';

type ContrastStore = ReturnType<typeof contrastStoreOf>;

/** Why the model does not say something else: a field for another text, and what speaks for which of both. */
export function ContrastPanel({ outcome }: { readonly outcome: Outcome }) {
  const { variations } = useStores();
  const store = contrastStoreOf(outcome, variations.getState().source);
  const phase = useValueOf(store, (state) => state.phase);
  const words = contrastWords();
  const [top] = rankedIn(outcome.influence.sections, 'whole');
  return (
    <SeparateSelection>
      <section className={styles.panel} aria-label={words.label} data-testid="contrast-panel">
        {top && isAskingLabel(top, outcome.question.prompt) && (
          <p className={panel.note}>{capitalised(words.asksFor(sectionPhrase(top)))}</p>
        )}
        <FoilField store={store} />
        <Suggestions outcome={outcome} store={store} />
        <VariationResult phase={phase} running={words.running} otherModel={words.otherModel}>
          {(contrast) => <ContrastView outcome={outcome} contrast={contrast} />}
        </VariationResult>
      </section>
    </SeparateSelection>
  );
}

/** The other text, and the button that compares; Enter does it too. */
function FoilField({ store }: { readonly store: ContrastStore }) {
  const foil = useValueOf(store, (state) => state.foil);
  const isRunning = useValueOf(store, ({ phase }) => phase.kind === 'running');
  const { edit, run } = store.getState();
  const words = contrastWords();
  const compare = () => foil.trim() !== '' && void run();
  const onKeyDown = (event: KeyboardEvent) => {
    if (keyOf(event) !== 'Enter') return;
    event.stopPropagation(); // with Ctrl the page would ask again
    compare();
  };
  return (
    <div className={styles.ask}>
      <label className={panel.blockTitle} htmlFor="foil">
        {words.foil}
      </label>
      <input
        id="foil"
        className={styles.foil}
        value={foil.trimStart()}
        placeholder={words.placeholder}
        onChange={(event) => edit(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button aria-disabled={foil.trim() === ''} onClick={compare}>
        {isRunning ? words.running : words.run}
      </Button>
    </div>
  );
}

/** Other words that the model finds likely here, each a button that compares with it. */
function Suggestions({ outcome, store }: { readonly outcome: Outcome; readonly store: ContrastStore }) {
  const suggested = useMemo(() => suggestedFoils(outcome), [outcome]);
  if (suggested.length === 0) return null;
  const compare = (foil: string) => {
    store.getState().edit(foil);
    void store.getState().run();
  };
  return (
    <div className={styles.suggestions}>
      <span className={panel.note}>{contrastWords().suggested}</span>
      {suggested.map((foil) => (
        <Button key={foil} look="quiet" onClick={() => compare(foil)}>
          {quoted(foil)}
        </Button>
      ))}
    </div>
  );
}

interface ContrastViewProps {
  readonly outcome: Outcome;
  readonly contrast: FoilContrast;
}

/** A contrast in words, on the prompt, and in numbers. */
function ContrastView({ outcome, contrast }: ContrastViewProps) {
  const { question } = outcome;
  const { difference, foil, target } = contrast;
  const { explain } = useStores();
  const words = contrastWords();
  const explainFoil = () => {
    explain.getState().edit({ target: foil });
    void explain.getState().run();
  };
  return (
    <>
      <p className={styles.lead} role="status" data-testid="contrast-lead">
        {leadOf(question.prompt, contrast)}
      </p>
      <lightwell-heat-map
        ref={useLinkedElement()}
        className={heat.unscaled}
        data={useHeatData(question, difference)}
        view="whole"
        texts={{ picture: words.picture, text: words.prompt }}
      />
      <p className={panel.note}>
        {words.ends(quotedTarget(target), quotedTarget(foil))}{' '}
        <Button look="quiet" focus="run" onClick={explainFoil}>
          {words.alone(quotedTarget(foil))}
        </Button>
      </p>
      <ScoresTable contrast={contrast} />
    </>
  );
}

/** What speaks most for the target, else for the other text. Labels and marks are named only where no other part differs. */
function leadOf(prompt: string, { difference, foil, target: compared }: FoilContrast): string {
  const words = contrastWords();
  const ranked = rankedIn(difference.sections, 'whole');
  const reasons = ranked.filter((one) => !isLabelOrMark(one, prompt) && Math.abs(one.total) >= NEUTRAL_NATS);
  const top = reasons.find(({ total }) => total > 0) ?? reasons[0] ?? ranked[0];
  const [target, other] = [quotedTarget(compared), quotedTarget(foil)];
  if (target === other) return words.same(target);
  if (!top || Math.abs(top.total) < NEUTRAL_NATS) return words.alike(target, other);
  const sentence = top.total > 0 ? words.forTarget : words.forFoil;
  return capitalised(sentence(sectionPhrase(top), target, other, natsText(top.total)));
}

const MAX_ROWS = 10;

function ScoresTable({ contrast }: Pick<ContrastViewProps, 'contrast'>) {
  const { difference, ofFoil, foil, target } = contrast;
  const words = contrastWords();
  const foilScore = ({ id }: Section) => ofFoil.get(id) ?? 0;
  return (
    <WideTable
      label={words.table}
      testId="contrast-table"
      className={styles.table}
      frameClass={styles.scroll}
      head={[words.section, quotedTarget(target), quotedTarget(foil), words.difference]}
      rows={rankedIn(difference.sections, 'whole')
        .slice(0, MAX_ROWS)
        .map((section) => ({
          name: <bdi>{sectionName(section)}</bdi>,
          cells: [section.total + foilScore(section), foilScore(section), section.total].map(natsText),
        }))}
    />
  );
}
