import { type Analysis, createAnalysis } from '../../analysis/analysis.ts';
import { type CollectionStore, createCollectionStore } from './collection-store.ts';
import { createDeskStore, type DeskStore } from './desk-store.ts';
import { createDuplicatesStore, type DuplicatesStore } from './lists/duplicates-store.ts';
import { createInputStore, type InputStore } from './input-store.ts';
import { createMapStore, type MapStore } from './map/map-store.ts';
import type { MeaningSource } from './meaning-store.ts';
import { createMatrixStore, type MatrixStore } from './lists/matrix-store.ts';
import { createNeighboursStore, type NeighboursStore } from './neighbours-store.ts';
import { createPace, type Pace } from './pace.ts';
import { createSortStore, type SortStore } from './lists/sort-store.ts';
import { createSearchStore, type SearchStore } from './search-store.ts';

/** All that the page Meaning works with. */
export interface Room {
  readonly analysis: Analysis;
  readonly pace: Pace;
  readonly collection: CollectionStore;
  readonly desk: DeskStore;
  readonly duplicates: DuplicatesStore;
  readonly input: InputStore;
  readonly map: MapStore;
  readonly matrix: MatrixStore;
  readonly neighbours: NeighboursStore;
  readonly search: SearchStore;
  readonly sort: SortStore;
}

/** A room without texts. */
export function createRoom({ client, memory }: MeaningSource, analysis: Analysis = createAnalysis()): Room {
  const pace = createPace(memory);
  const collection = createCollectionStore({ client, analysis, pace });
  const input = createInputStore({ client, pace, memory });
  const search = createSearchStore({ client, analysis, collection });
  const desk = createDeskStore(collection);
  return {
    ...{ analysis, pace, collection, desk, input, search },
    duplicates: createDuplicatesStore(analysis, collection),
    map: createMapStore(analysis, collection),
    matrix: createMatrixStore(analysis, collection),
    neighbours: createNeighboursStore(analysis, desk),
    sort: createSortStore(analysis, collection),
  };
}

const rooms = new WeakMap<MeaningSource, Room>();

/** The one room of the page: its texts stay where the page is left and comes back. */
export function roomOf(source: MeaningSource): Room {
  const known = rooms.get(source);
  if (known) return known;
  const room = createRoom(source);
  rooms.set(source, room);
  return room;
}
