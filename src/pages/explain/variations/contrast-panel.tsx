import type { Outcome } from '../../../explanations/outcome.ts';
import { contrastWords } from './words.en.ts';
import { Button } from '../../../parts/buttons.tsx';
import { GrowingTextarea } from '../../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../../parts/fields/choice.tsx';
import { useStores, useValueOf } from '../../../stores/use-stores.ts';
import { VariationResult, runOnEnter, SeparateSelection } from './variation-parts.tsx';
import panel from '../../../figures/panel.module.css';
import styles from './contrast.module.css';
import { NEUTRAL_NATS, rankedIn, type Section } from '../../../explanations/influence.ts';
import { HeatMap, PictureHeat } from '../../../figures/heat/heat-map.tsx';
import { capitalised, natsText, quotedTarget, sectionName, sectionPhrase } from '../../../figures/texts.ts';
import { type FoilContrast, contrastStoreOf } from './contrast-store.ts';

type ContrastStore = ReturnType<typeof contrastStoreOf>;

/** Compares the target of an outcome with another one. */
export function ContrastPanel({ outcome }: { readonly outcome: Outcome }) {
  const { variations } = useStores();
  const store = contrastStoreOf(outcome, variations.getState().source);
  const phase = useValueOf(store, (state) => state.phase);
  const words = contrastWords();
  return (
    <SeparateSelection>
      <section className={styles.panel} aria-label={words.label} data-testid="contrast-panel">
        <h3 className={panel.blockTitle}>{words.title}</h3>
        <p className={panel.note}>{words.about}</p>
        <FoilField store={store} />
        <VariationResult phase={phase} running={words.running} otherModel={words.otherModel}>
          {(contrast) => <ContrastView outcome={outcome} contrast={contrast} />}
        </VariationResult>
      </section>
    </SeparateSelection>
  );
}

/** The other target, and the button that compares. */
function FoilField({ store }: { readonly store: ContrastStore }) {
  const foil = useValueOf(store, (state) => state.foil);
  const isRunning = useValueOf(store, ({ phase }) => phase.kind === 'running');
  const { edit, run } = store.getState();
  const words = contrastWords();
  const compare = () => foil !== '' && void run();
  return (
    <div className={styles.ask}>
      <LabelRow htmlFor="foil" label={words.foil} />
      <GrowingTextarea
        id="foil"
        value={foil}
        placeholder={words.placeholder}
        onChange={(event) => edit(event.target.value)}
        onKeyDown={runOnEnter(compare)}
      />
      <Button aria-disabled={foil === ''} onClick={compare}>
        {isRunning ? words.running : words.run}
      </Button>
      {foil === '' && <p className={panel.note}>{words.missing}</p>}
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
  const { difference, foil } = contrast;
  const words = contrastWords();
  return (
    <>
      <p className={styles.lead} role="status" data-testid="contrast-lead">
        {leadOf(outcome, contrast)}
      </p>
      {question.picture && (
        <PictureHeat name={words.picture} picture={question.picture} tiles={difference.picture} view="whole" />
      )}
      {question.prompt !== '' && (
        <HeatMap name={words.prompt} text={question.prompt} sections={difference.prompt} view="whole" />
      )}
      <p className={panel.note}>{words.ends(quotedTarget(question.target), quotedTarget(foil))}</p>
      <ScoresTable outcome={outcome} contrast={contrast} />
    </>
  );
}

function leadOf({ question }: Outcome, { difference, foil }: FoilContrast): string {
  const words = contrastWords();
  const [top] = rankedIn(difference.sections, 'whole');
  const [target, other] = [quotedTarget(question.target), quotedTarget(foil)];
  if (!top || Math.abs(top.total) < NEUTRAL_NATS) return words.alike(target, other);
  const sentence = top.total > 0 ? words.forTarget : words.forFoil;
  return capitalised(sentence(sectionPhrase(top), target, other, natsText(top.total)));
}

const MAX_ROWS = 10;

/** The scores for both texts, and their difference. */
function ScoresTable({ outcome, contrast }: ContrastViewProps) {
  const { difference, ofFoil, foil } = contrast;
  const words = contrastWords();
  const foilScore = ({ id }: Section) => ofFoil.get(id) ?? 0;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="contrast-table">
        <caption className={panel.note}>{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.section}</th>
            <th scope="col">{quotedTarget(outcome.question.target)}</th>
            <th scope="col">{quotedTarget(foil)}</th>
            <th scope="col">{words.difference}</th>
          </tr>
        </thead>
        <tbody>
          {rankedIn(difference.sections, 'whole')
            .slice(0, MAX_ROWS)
            .map((section) => (
              <tr key={section.id}>
                <th scope="row">
                  <bdi>{sectionName(section)}</bdi>
                </th>
                <td>{natsText(section.total + foilScore(section))}</td>
                <td>{natsText(foilScore(section))}</td>
                <td>{natsText(section.total)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
