import { POOLINGS } from '../../contract/wire/limits.ts';
import { insideWords } from './words.en.ts';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { LensSection } from './lens-section.tsx';
import { SteeringSection } from './steering-section.tsx';
import styles from './inside-page.module.css';
import { type InsideStores, insideStoresOf, TEXT_SETS } from './live-stores.ts';
import {
  canCompare,
  MIN_COMPARED_TEXTS,
  type SimilarityFound,
  similarityNotice,
} from '../../parts/similarity/similarity.ts';
import { similarityWords } from '../../parts/similarity/words.en.ts';
import { LoadedNote } from '../../parts/live/loaded-note.tsx';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { useStores, useStoreValue, useValueOf } from '../../stores/use-stores.ts';
import { cosineCell, InsideSection, SaveCsv } from './inside-parts.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { type Cell, csvText } from '../../files/table/csv-text.ts';
import { SaveFigure } from '../../figures/save-figure.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { Choice, StopsSlider } from '../../parts/fields/choice.tsx';
import { SimilarityChart } from '../../parts/similarity/similarity-chart.tsx';
import { TokenCompare } from './token-compare.tsx';
import type { Pooling } from '../../contract/embed.ts';
import { Button } from '../../parts/buttons.tsx';
import { numberText } from '../../words/language.ts';
import { nameOf } from '../../figures/texts.ts';
import { byPlace } from '../../parts/by-place.ts';

/** The prediction of each layer, and the similarity of texts at each layer. */
export function InsidePage() {
  const words = insideWords();
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <LoadedNote model={useStores().inside.getState().source.model} className={styles.text} />
      <div className={styles.sections}>
        <LensSection />
        <SimilaritySection />
        <SteeringSection />
      </div>
    </PageLayout>
  );
}

const [{ texts: FIRST }] = TEXT_SETS;

/** Two to eight texts, and their similarity at each layer. */
function SimilaritySection() {
  const store = insideStoresOf(useStores().inside.getState()).similarity;
  const words = similarityWords();
  return (
    <InsideSection words={words}>
      <LivePanel
        name="similarity"
        store={store}
        first={{ texts: FIRST }}
        isComplete={({ texts }) => canCompare(texts)}
        missing={words.needed}
        fields={<TextList store={store} />}
      >
        {(found) => <SimilarityResult found={found} />}
      </LivePanel>
    </InsideSection>
  );
}

/** The similarity as lines over the layers, at one layer, and token by token. */
function SimilarityResult({ found }: { readonly found: SimilarityFound }) {
  const { inside } = useStores();
  const pooling = useStoreValue('inside', (state) => state.pooling);
  const chosen = useStoreValue('inside', (state) => state.layer);
  const layer = Math.min(chosen ?? found.lastLayer, found.lastLayer);
  const words = similarityWords();
  const options = POOLINGS.map((value) => ({ value, label: words.poolings[value] }));
  return (
    <>
      <Choice
        label={words.pooling}
        options={options}
        value={pooling}
        onChoose={(value) => inside.getState().choosePooling(value)}
      />
      <SimilarityChart found={found} pooling={pooling} />
      <Notice sentences={similarityNotice(found, pooling)} />
      <SaveChart found={found} pooling={pooling} />
      <LayerMatrix found={found} pooling={pooling} layer={layer} />
      <TokenCompare texts={found.texts} layer={layer} />
    </>
  );
}

interface ChartProps {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
}

function SaveChart({ found, pooling }: ChartProps) {
  const words = insideWords().save;
  return (
    <div className={styles.row} role="group" aria-label={words.label}>
      <SaveFigure
        name="similarity-by-layer"
        look="plain"
        figure={async (typesetter) => {
          const { similarityFigure } = await import('./similarity-figure.ts');
          return similarityFigure({ found, pooling, typesetter });
        }}
      />
      <SaveCsv name="similarity-by-layer.csv" label={words.csv} csv={() => similarityCsv(found)} />
    </div>
  );
}

/** A row for each pair, pooling and layer; RFC 4180. Names are those of the contract. */
export function similarityCsv({ cosines, modelVersion, pairs, texts }: SimilarityFound): string {
  const head = ['text_a', 'text_b', 'pooling', 'layer', 'cosine', 'model_version'];
  const poolings = Object.keys(cosines) as Pooling[]; // `Object.keys` returns strings
  const rows = pairs.flatMap(([a, b], pair) =>
    poolings.flatMap((pooling) =>
      cosines[pooling].map((values, layer): Cell[] => [
        texts[a] ?? '',
        texts[b] ?? '',
        pooling,
        layer,
        values[pair] ?? 0,
        modelVersion,
      ]),
    ),
  );
  return csvText([head, ...rows]);
}

function LayerMatrix({ found, pooling, layer }: ChartProps & { readonly layer: number }) {
  const { inside } = useStores();
  const words = insideWords().matrix;
  const stops = Array.from({ length: found.lastLayer + 1 }, (_, index) => index);
  const low = Math.min(...found.cosines[pooling].flat()); // of all layers: a shade means the same at each
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>{words.title}</h3>
      <div className={styles.slider}>
        <span>{words.slider}</span>
        <StopsSlider
          label={words.slider}
          stops={stops}
          value={layer}
          text={numberText(layer)}
          onChange={(value) => inside.getState().chooseLayer(value)}
        />
        <output className={styles.value}>{numberText(layer)}</output>
      </div>
      <WideTable
        label={words.caption(numberText(layer))}
        testId="similarity-matrix"
        className={styles.dense}
        head={[null, ...found.texts.map((_, index) => numberText(index + 1))]}
        rows={found.texts.map((text, row) => ({
          name: (
            <>
              {numberText(row + 1)} <bdi>{nameOf(text, 28)}</bdi>
            </>
          ),
          nameClass: styles.rowName,
          cells: found.texts.map((_, column) =>
            cosineCell(cosineOf(found, found.cosines[pooling][layer], row, column), low),
          ),
        }))}
      />
    </div>
  );
}

function cosineOf({ pairs }: SimilarityFound, cosines: readonly number[] | undefined, row: number, column: number) {
  if (row === column) return 1;
  const pair = pairs.findIndex(([a, b]) => a === Math.min(row, column) && b === Math.max(row, column));
  return cosines?.[pair] ?? 0;
}

/** Most texts that are compared at once: the lines of more pairs cannot be told apart by eye. */
const MAX_COMPARED_TEXTS = 8;

/** The texts to compare, with examples. Undo of the panel restores what an example or a removal replaces. */
function TextList({ store }: { readonly store: InsideStores['similarity'] }) {
  const { texts } = useValueOf(store, (state) => state.asked);
  const { edit, replace, run } = store.getState();
  const canAdd = texts.length < MAX_COMPARED_TEXTS;
  const words = similarityWords();
  return (
    <div className={styles.fields}>
      <Examples
        onChoose={(next) => {
          replace({ texts: next });
          void run();
        }}
      />
      <ol className={styles.texts}>
        {byPlace(texts, (text, index) => (
          <li className={styles.textRow}>
            <span className={styles.number} aria-hidden>
              {numberText(index + 1)}
            </span>
            <div>
              <GrowingTextarea
                aria-label={words.label(numberText(index + 1))}
                data-testid="inside-text"
                value={text}
                onChange={({ target }) => edit({ texts: texts.with(index, target.value) })}
              />
            </div>
            <Button
              look="quiet"
              aria-label={words.remove(numberText(index + 1))}
              disabled={texts.length <= MIN_COMPARED_TEXTS}
              focus="add-text"
              onClick={() => replace({ texts: texts.toSpliced(index, 1) })}
            >
              ×
            </Button>
          </li>
        ))}
      </ol>
      <div className={styles.row}>
        <Button
          id="add-text"
          look="quiet"
          aria-disabled={!canAdd}
          onClick={() => canAdd && edit({ texts: [...texts, ''] })}
        >
          {words.add}
        </Button>
      </div>
    </div>
  );
}

function Examples({ onChoose }: { readonly onChoose: (texts: readonly string[]) => void }) {
  const words = similarityWords();
  return (
    <div className={styles.row} role="group" aria-label={words.examples}>
      <span className={styles.note}>{words.examples}</span>
      {TEXT_SETS.map(({ name, texts }) => (
        <Button key={name} look="quiet" onClick={() => onChoose(texts)}>
          {words.sets[name]}
        </Button>
      ))}
    </div>
  );
}
