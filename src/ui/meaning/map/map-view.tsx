import { useEffect, useMemo, useState } from 'react';
import { type Colouring, colouringOfColumn, colouringOfGroups } from '../../../state/meaning/map/colouring.ts';
import type { DrawnMap, Groups } from '../../../state/meaning/map/map-store.ts';
import { wholeView, zoomed } from '../../../state/meaning/map/view.ts';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import { Chosen } from './chosen.tsx';
import { Legend } from './legend.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { MapSettings } from './map-settings.tsx';
import { Readout } from './readout.tsx';
import { SaveMap } from './save-map.tsx';
import type { Scene } from './scene.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** The texts on a plane, those that are alike near each other. */
export function MapView() {
  const { map, collection } = useRoom();
  const { drawn, groups, problem } = useValueOf(map, (state) => state);
  const isReading = useValueOf(collection, ({ phase }) => phase.kind === 'running');
  const colouring = useColouring();
  useEffect(() => {
    if (!isReading || !map.getState().drawn) void map.getState().draw(); // what is read by now, and all of it once it is
  }, [map, isReading]);
  return (
    <div className={page.view}>
      <MapSettings />
      <Progress />
      {problem && (
        <p className={page.wrong} role="alert">
          {meaningWords().failed(problem)}
        </p>
      )}
      {drawn && colouring && <Drawn drawn={drawn} groups={groups} colouring={colouring} />}
    </div>
  );
}

/** What the colours stand for; null before there is a map. */
function useColouring(): Colouring | null {
  const { map } = useRoom();
  const { drawn, groups, colouring } = useValueOf(map, (state) => state);
  const collected = useCollected();
  const noWords = meaningMapWords().noWords;
  const count = drawn ? drawn.points.length / 2 : 0;
  return useMemo(() => {
    if (count === 0) return null;
    const column = colouring === null ? undefined : collected?.table.columns[colouring];
    if (column) return colouringOfColumn(column.slice(0, count));
    if (groups?.labels.length !== count) return colouringOfGroups(new Int32Array(count), ['']);
    return colouringOfGroups(
      groups.labels,
      groups.clusters.map(({ words }) => words.join(', ') || noWords),
    );
  }, [count, groups, colouring, collected?.table, noWords]);
}

interface DrawnProps {
  readonly drawn: DrawnMap;
  readonly groups: Groups | null;
  readonly colouring: Colouring;
}

function Drawn(props: DrawnProps) {
  const words = meaningMapWords();
  const [isLasso, setLasso] = useState(false);
  const [scene, setScene] = useState<Scene | null>(null);
  const { drawn, colouring } = props;
  const zoom = (factor: number) =>
    scene?.see((view, size) => zoomed(view, factor, { x: size.width / 2, y: size.height / 2 }, size));
  return (
    <>
      <div className={styles.stage}>
        <MapCanvas {...props} isLasso={isLasso} onScene={setScene} />
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
      <Readout />
      <Legend colouring={colouring} />
      <p className={page.note}>{drawn.method === 'umap' ? words.about.umap : words.about.pca(percentOf(drawn))}</p>
      <p id="map-keys" className={page.note}>
        {words.keys}
      </p>
      <Chosen drawn={drawn} colouring={colouring} />
    </>
  );
}

function percentOf({ explained }: DrawnMap): string | null {
  return explained === null ? null : numberText(100 * explained, { maximumFractionDigits: 0 });
}

/** How far the next map has come; or that more texts have been read since this one was drawn. */
function Progress() {
  const words = meaningMapWords();
  const { map } = useRoom();
  const { progress, drawn, draw, cancel } = useValueOf(map, (state) => state);
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
