import { useEffect } from 'react';
import { useEngineInUse, useStores, useStoreValue } from '../../stores/use-stores.ts';

/** Time after which a document is shown and the page is idle, ms. */
const SUGGEST_MS = 500;

/** Looks for questions to suggest while nothing is asked; not where an engine elsewhere would be sent the text unasked. */
export function useSuggestions(): void {
  const { documents } = useStores();
  const isLocal = useEngineInUse() === null;
  const shown = useStoreValue('documents', (state) => state.shown);
  const isBusy = useStoreValue(
    'documents',
    ({ phase, list }) => phase.kind === 'running' || list.some(({ reading }) => reading.kind === 'reading'),
  );
  useEffect(() => {
    if (!isLocal || shown === null || isBusy) return undefined;
    const stopped = new AbortController();
    const timer = setTimeout(() => {
      documents
        .getState()
        .suggest(shown, stopped.signal)
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) console.error(error); // the page works without suggestions
        });
    }, SUGGEST_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [documents, isLocal, isBusy, shown]);
}
