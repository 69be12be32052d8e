import { lazy, Suspense, useRef, useState } from 'react';
import type { View } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import type { Source } from './figure/content.ts';

/** All that writes files; nothing of it is needed before the button is pressed. */
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

/** Opens the one place where a result is saved and shared. */
export function ExportButton({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { engine, models } = useStores();
  const model = useStoreValue('engine', (state) => state.model);
  const button = useRef<HTMLButtonElement>(null);
  // What the dialog was opened on: a running request goes on below it.
  const [source, setSource] = useState<Source | null>(null);
  const close = () => {
    setSource(null);
    button.current?.focus();
  };
  const open = () => {
    const facts = models.getState().models.find(({ name }) => name === model);
    const { status } = engine.getState();
    setSource({
      ...{ outcome, view, model },
      recording: { facts, engine: status, userAgent: navigator.userAgent, now: new Date() },
    });
  };
  const words = resultWords().export;
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={open}>
        {words.button}
      </Button>
      {source && (
        <FallbackBoundary fallback={<p role="alert">{words.failed}</p>}>
          <Suspense fallback={null}>
            <ExportDialog source={source} onClose={close} />
          </Suspense>
        </FallbackBoundary>
      )}
    </>
  );
}
