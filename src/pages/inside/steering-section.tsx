import { useState } from 'react';
import { tokenText } from '../../figures/caption.ts';
import { percentText } from '../../figures/texts.ts';
import { StopsSlider } from '../../parts/fields/choice.tsx';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { TextField } from '../../parts/live/text-fields.tsx';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import { numberText, visibleText } from '../../words/language.ts';
import { type InsideStores, insideStoresOf } from './live-stores.ts';
import { canSteer, reversingStrength, type SteeringFound, type SteeringQuestion, STRENGTHS } from './steering.ts';
import { InsideSection } from './inside-parts.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { insideWords } from './words.en.ts';
import styles from './inside-page.module.css';

/** A concept from pairs of texts, and what it changes at each strength. */
export function SteeringSection() {
  const store = insideStoresOf(useStores().inside.getState()).steering;
  const words = insideWords().steering;
  return (
    <InsideSection words={words}>
      <LivePanel
        name="steering"
        store={store}
        isComplete={canSteer}
        missing={words.missing}
        runLabel={words.run}
        failures={{ MISSING_CAPABILITY: words.unable }}
        fields={<SteeringFields store={store} />}
      >
        {(found, asked) => <SteeringResult found={found} asked={asked} />}
      </LivePanel>
    </InsideSection>
  );
}

const FIELDS = ['positive', 'negative', 'first', 'second', 'prompt'] as const;

function SteeringFields({ store }: { readonly store: InsideStores['steering'] }) {
  const asked = useValueOf(store, (state) => state.asked);
  const words = insideWords().steering;
  return (
    <div className={styles.choices}>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={words.fields[field]}
          value={asked[field]}
          testId={`steering-${field}`}
          onChange={(text) => store.getState().edit({ [field]: text })}
        />
      ))}
    </div>
  );
}

/** The answers at the strength that a slider chooses, and at all of them. */
function SteeringResult({ found, asked }: { readonly found: SteeringFound; readonly asked: SteeringQuestion }) {
  const words = insideWords().steering;
  const [strength, setStrength] = useState<number>(0);
  const row = found.rows.find((each) => each.strength === strength);
  const text = numberText(strength);
  const reversing = reversingStrength(found);
  return (
    <>
      <Notice sentences={[reversing === null ? words.never : words.reversed(numberText(reversing))]} />
      <div className={styles.slider}>
        <span>{words.strength}</span>
        <StopsSlider label={words.strength} stops={STRENGTHS} value={strength} text={text} onChange={setStrength} />
        <output className={styles.value}>{text}</output>
      </div>
      {row && (
        <p className={styles.text} data-testid="steered" role="status">
          {words.shown(
            tokenText(asked.first),
            percentText(row.first),
            tokenText(asked.second),
            percentText(row.second),
          )}{' '}
          {words.writes(visibleText(row.written))}
        </p>
      )}
      <WideTable
        label={words.table(numberText(found.layer), numberText(found.layers))}
        testId="steering-strengths"
        head={[words.strength, tokenText(asked.first), tokenText(asked.second), words.written]}
        rows={found.rows.map(({ strength: each, first, second, written }) => ({
          name: numberText(each),
          cells: [percentText(first), percentText(second), { text: visibleText(written), className: styles.wrapping }],
        }))}
      />
      <p className={styles.source}>
        {words.stored} <code className={styles.id}>{found.id}</code>
      </p>
    </>
  );
}
