import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { opensMap } from '../../../state/page/key-map.ts';
import { appWords } from '../../../words/en/app.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';

const KeyDialog = lazy(async () => ({ default: (await import('./key-dialog.tsx')).KeyDialog }));

/** The map of the keyboard: on `?`, and on a button for those who do not know the key. */
export function KeyboardMap() {
  const [isOpen, setOpen] = useState(false);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isOpen ? event.key !== '?' : !opensMap(event, isTyping(event.target))) return;
    event.preventDefault();
    setOpen(!isOpen);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <>
      <Button look="quiet" aria-label={appWords().keys} aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        ?
      </Button>
      {isOpen && (
        <FallbackBoundary fallback={null}>
          <Suspense>
            <KeyDialog onClose={() => setOpen(false)} />
          </Suspense>
        </FallbackBoundary>
      )}
    </>
  );
}

/** Whether a key goes into a text, or another dialog is open. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null);
}

const FIELDS = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select';
