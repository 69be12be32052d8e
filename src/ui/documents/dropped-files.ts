import type { Stores } from '../../state/stores.ts';

/** Adds files that were dropped on the page; what cannot be read says so in the list. */
export function takeDropped(files: readonly File[], { documents }: Pick<Stores, 'documents'>): Promise<null> {
  void documents.getState().add(files);
  return Promise.resolve(null);
}
