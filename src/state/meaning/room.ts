import { type Analysis, createAnalysis } from '../../analysis/analysis.ts';
import { type CollectionStore, createCollectionStore } from './collection-store.ts';
import { createInputStore, type InputStore } from './input-store.ts';
import type { MeaningSource } from './meaning-store.ts';
import { createPace, type Pace } from './pace.ts';
import { createSearchStore, type SearchStore } from './search-store.ts';

/** All that the page Meaning works with. */
export interface Room {
  readonly analysis: Analysis;
  readonly pace: Pace;
  readonly collection: CollectionStore;
  readonly input: InputStore;
  readonly search: SearchStore;
}

/** A room without texts. */
export function createRoom({ client, memory }: MeaningSource, analysis: Analysis = createAnalysis()): Room {
  const pace = createPace(memory);
  const collection = createCollectionStore({ client, analysis, pace });
  const input = createInputStore({ client, pace, memory });
  const search = createSearchStore({ client, analysis, collection });
  return { analysis, pace, collection, input, search };
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
