import { useEffect, useMemo, useState } from 'react';
import { type Colouring, colouringOf, columnColouring } from './colouring.ts';
import { MapCanvas } from './map-canvas.tsx';
import { type DrawnMap, MAX_COMPARED } from '../view-stores.ts';
import type { Scene } from './scene.ts';
import { SearchView } from './search-view.tsx';
import { ValueChart } from './value-chart.tsx';
import { wholeView, zoomed } from './view.ts';
import { useCollected, useMeaning, useMeaningStores } from '../meaning-stores.ts';
import { Menu, SaveRows, useFirst, wholePercent, WorkProblem } from '../view-parts.tsx';
import { meaningMapWords } from '../words.en.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { SaveFigure } from '../../../figures/save-figure.tsx';
import { fixedText } from '../../../words/language.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** The texts on a plane, similar ones near each other. */
export function MapView() {
  const { map } = useMeaningStores();
  const { drawn, problem } = useMeaning('map', (state) => state);
  const isEmbedding = useMeaning('collection', ({ phase }) => phase.kind === 'running');
  const colouring = useColouring();
  useEffect(() => {
    if (!isEmbedding || !map.getState().drawn) void map.getState().draw(); // the first texts, and all when they are ready
  }, [map, isEmbedding]);
  return (
    <div className={page.view}>
      <MapSettings />
      <Progress />
      <WorkProblem problem={problem} />
      {drawn && colouring && <Stage drawn={drawn} colouring={colouring} />}
      <div className={styles.below}>
        {drawn && <Readout />}
        <SearchView />
      </div>
      {drawn && colouring && <Details drawn={drawn} colouring={colouring} />}
    </div>
  );
}

/** Null before there is a map. */
function useColouring(): Colouring | null {
  const { drawn, groups, colouring } = useMeaning('map', (state) => state);
  const collected = useCollected();
  const { noWords, noValue, range } = meaningMapWords();
  const count = drawn ? drawn.points.length / 2 : 0;
  return useMemo(() => {
    if (count === 0) return null;
    const column = colouring === null ? undefined : collected?.table.columns[colouring];
    if (column) return columnColouring(column.slice(0, count), { noValue, range });
    if (groups?.labels.length !== count) return colouringOf(Array(count).fill(''), () => []);
    return colouringOf([...groups.labels], (label) => {
      const found = groups.clusters[label]?.words ?? [];
      return found.length > 0 ? found : [noWords];
    });
  }, [count, groups, colouring, collected?.table, noWords, noValue, range]);
}

interface DrawnProps {
  readonly drawn: DrawnMap;
  readonly colouring: Colouring;
}

function Stage(props: DrawnProps) {
  const words = meaningMapWords();
  const [isLasso, setLasso] = useState(false);
  const [scene, setScene] = useState<Scene | null>(null);
  const { drawn, colouring } = props;
  const zoom = (factor: number) =>
    scene?.see((view, size) => zoomed(view, factor, { x: size.width / 2, y: size.height / 2 }, size));
  return (
    <div className={styles.stage}>
      <div className={styles.beside}>
        <MapCanvas {...props} isLasso={isLasso} onScene={setScene} />
        <ValueChart colouring={colouring} />
      </div>
      <div className={styles.tools}>
        <Button aria-pressed={isLasso} onClick={() => setLasso(!isLasso)}>
          {words.lasso}
        </Button>
        <Button aria-label={words.zoomIn} onClick={() => zoom(1.5)}>
          +
        </Button>
        <Button aria-label={words.zoomOut} onClick={() => zoom(1 / 1.5)}>
          −
        </Button>
        <Button onClick={() => scene?.see((_, size) => wholeView(size))}>{words.all}</Button>
        <SaveMap drawn={drawn} colouring={colouring} />
      </div>
    </div>
  );
}

/** What the map shows, how it is used, and its texts as a list. */
function Details({ drawn, colouring }: DrawnProps) {
  const words = meaningMapWords();
  const percent = drawn.explained === null ? null : wholePercent(drawn.explained);
  return (
    <>
      <p className={page.note}>{drawn.method === 'umap' ? words.about.umap : words.about.pca(percent)}</p>
      <p id="map-keys" className={page.note}>
        {words.use} <span className={styles.keys}>{words.keys}</span>
      </p>
      <MapSelection points={drawn.points} colouring={colouring} />
    </>
  );
}

/** The progress of the next map, or a button that draws the texts that were added since the last. */
function Progress() {
  const words = meaningMapWords();
  const { progress, drawn, draw, cancel } = useMeaning('map', (state) => state);
  const count = useCollected()?.count ?? 0;
  if (progress !== null)
    return (
      <div className={styles.progress}>
        <ProgressBar label={words.drawing} share={progress} />
        <Button look="quiet" onClick={cancel}>
          {words.stop}
        </Button>
      </div>
    );
  if (count === 0 || drawn?.points.length === 2 * count) return null;
  return (
    <div className={page.row}>
      <Button onClick={() => void draw()}>{words.redraw(count)}</Button>
    </div>
  );
}

const COUNTS = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20];

/** The choices of method, colours and number of groups. */
function MapSettings() {
  const words = meaningMapWords();
  const { method, by, count, group, colouring, colour } = useMeaning('map', (state) => state);
  const columns = Object.keys(useCollected()?.table.columns ?? {});
  return (
    <div className={page.row}>
      <Choice
        label={words.method}
        options={(['umap', 'pca'] as const).map((value) => ({ value, label: words.methods[value] }))}
        value={method}
        onChoose={(next) => void by(next)}
      />
      {columns.length > 0 && (
        <Menu
          label={words.colour}
          value={colouring ?? ''}
          options={[['', words.byGroup], ...columns.map((name) => [name, name] as const)]}
          onChoose={(name) => colour(name === '' ? null : name)}
        />
      )}
      <Menu
        label={words.groupCount}
        value={String(count ?? '')}
        options={[['', words.automatic], ...COUNTS.map((one) => [String(one), String(one)] as const)]}
        onChoose={(text) => void group(text === '' ? null : Number(text))}
      />
    </div>
  );
}

function SaveMap({ drawn, colouring }: { readonly drawn: DrawnMap; readonly colouring: Colouring }) {
  const words = meaningMapWords();
  const model = useCollected()?.model ?? '';
  return (
    <SaveFigure
      name="map"
      figure={async (typesetter) => {
        const { mapFigure } = await import('./map-figure.ts');
        const title = words.canvas(drawn.points.length / 2);
        const notes = [words.methods[drawn.method], model];
        return mapFigure({ title, points: drawn.points, colouring, other: words.other, notes, typesetter });
      }}
    />
  );
}

/** Characters of a text that are shown. */
const SHOWN = 300;

/** The active text, and the most similar ones. */
function Readout() {
  const words = meaningMapWords();
  const active = useMeaning('selection', (state) => state.active);
  const neighbours = useMeaning('neighbours', (state) => state.list);
  const texts = useCollected()?.table.texts ?? [];
  return (
    <div className={styles.readout} data-testid="readout">
      <p className={styles.active} aria-live="polite" dir="auto">
        {active === null ? <span className={page.note}>{words.pointAt}</span> : short(texts[active])}
      </p>
      {neighbours.length > 0 && (
        <>
          <p className={page.note}>{words.nearest}</p>
          <ol className={styles.near}>
            {neighbours.map(({ index, cosine }) => (
              <li key={index} dir="auto">
                <span className={page.note}>{fixedText(cosine, 2)}</span> {short(texts[index])}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function short(text = ''): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text;
}

interface MapSelectionProps {
  /** `[texts, 2]` */
  readonly points: Float32Array;
  readonly colouring: Colouring;
}

/** Id of the button that saves the list, which never disappears. */
const SAVE = 'save-chosen';

/** Texts that are shown at first, and added with each press. */
const STEP = 20;

/** The chosen texts as a list; all texts if none are chosen. */
function MapSelection({ points, colouring }: MapSelectionProps) {
  const words = meaningMapWords();
  const { chosen, active, activate } = useMeaning('selection', (state) => state);
  const texts = useCollected()?.table.texts ?? [];
  const listed = chosen.length > 0 ? chosen : [...Array(points.length / 2).keys()];
  const [first, more] = useFirst(listed, STEP, words.more);
  return (
    <section className={styles.chosen} aria-label={words.list}>
      <div className={page.head}>
        <h2 className={page.title} data-testid="chosen">
          <span role="status">{chosen.length > 0 ? words.chosen(chosen.length) : words.list}</span>
        </h2>
        <SelectionActions listed={listed} points={points} colouring={colouring} />
      </div>
      <ol className={styles.list}>
        {first.map((index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.item}
              data-content
              aria-current={index === active}
              onClick={() => activate(index)}
            >
              <bdi>{texts[index]}</bdi>
            </button>
            <bdi className={page.note}>{nameIn(colouring, index)}</bdi>
          </li>
        ))}
      </ol>
      {more && <div className={page.row}>{more}</div>}
    </section>
  );
}

/** Name of the group or the value of a text's colour. */
function nameIn({ entries, hues }: Colouring, index: number): string {
  return entries.find(({ hue }) => hue === hues[index])?.name ?? '';
}

function SelectionActions({ listed, points, colouring }: MapSelectionProps & { readonly listed: readonly number[] }) {
  const words = meaningMapWords();
  const { selection } = useMeaningStores();
  const hasChoice = useMeaning('selection', (state) => state.chosen.length > 0);
  const canUndo = useMeaning('selection', (state) => state.replaced !== null);
  const texts = useCollected()?.table.texts ?? [];
  const rows = () =>
    listed.map((index) => [
      texts[index] ?? '',
      nameIn(colouring, index),
      points[2 * index] ?? 0,
      points[2 * index + 1] ?? 0,
    ]);
  return (
    <div className={page.row}>
      {canUndo && (
        <Button look="quiet" focus={SAVE} onClick={() => selection.getState().undo()}>
          {words.undo}
        </Button>
      )}
      {hasChoice && (
        <>
          <Button look="quiet" onClick={() => selection.getState().choose([])}>
            {words.forget}
          </Button>
          <Button look="quiet" onClick={() => selection.getState().show('matrix')}>
            {listed.length > MAX_COMPARED ? words.compareFirst(MAX_COMPARED) : words.compare}
          </Button>
        </>
      )}
      <SaveRows id={SAVE} name="map" rows={() => [Object.values(words.columns), ...rows()]}>
        {words.saveChosen}
      </SaveRows>
    </div>
  );
}
