import type { KeptThing } from '../../protocol/page/kept-things.ts';
import { privacyWords } from '../../words/en/privacy.ts';
import { countText, sizeText } from '../../words/numbers.ts';
import { Button } from '../parts/buttons.tsx';
import { Dialog } from '../parts/layout/dialog.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import styles from './privacy.module.css';

/** Asks, removes, says what is gone, and opens the page as on a first visit. */
export function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const words = privacyWords().clear;
  const clearing = useStoreValue('privacy', (state) => state.clearing);
  const { privacy } = useStores();
  const isAsked = clearing.kind !== 'not asked';
  return (
    <Dialog
      title={clearing.kind === 'done' ? words.done : words.title}
      closeText={null}
      testId="clear"
      onClose={isAsked ? openAnew : onClose}
    >
      {clearing.kind === 'not asked' && <Question onCancel={onClose} onConfirm={privacy.getState().clear} />}
      {clearing.kind === 'running' && <p role="status">{words.running}</p>}
      {clearing.kind === 'failed' && <p role="alert">{words.failed(clearing.message)}</p>}
      {clearing.kind === 'done' && <Gone things={clearing.gone} />}
      {(clearing.kind === 'done' || clearing.kind === 'failed') && (
        <div>
          <Button look="primary" ref={focusIt} onClick={openAnew}>
            {words.again}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** The button that had the focus is gone. */
function focusIt(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** A page that has forgotten everything starts as on a first visit; nothing that it still holds is written again. */
function openAnew(): void {
  location.replace(new URL('.', document.baseURI));
}

function Question({ onCancel, onConfirm }: { readonly onCancel: () => void; readonly onConfirm: () => Promise<void> }) {
  const words = privacyWords().clear;
  const tabs = useStoreValue('privacy', ({ kept }) => kept?.tabs ?? 1);
  return (
    <>
      <p>{words.what}</p>
      {tabs > 1 && <p className={styles.problem}>{words.tabs(countText(tabs, words.tabCount))}</p>}
      <div className={styles.actions}>
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button look="primary" onClick={() => void onConfirm()}>
          {words.confirm}
        </Button>
      </div>
    </>
  );
}

function Gone({ things }: { readonly things: readonly KeptThing[] }) {
  const { clear: words, kept } = privacyWords();
  const left = useStoreValue('privacy', (state) => state.kept)?.things.filter(({ isOwn }) => isOwn) ?? [];
  const line = ({ kind, name, bytes, files }: KeptThing) => (
    <li key={`${kind} ${name}`}>
      {kept.kinds[kind]} <code>{name}</code>
      {bytes !== null && ` (${sizeText(bytes)}${files === null ? '' : `, ${countText(files, kept.files)}`})`}
    </li>
  );
  return (
    <div role="status" className={styles.gone}>
      <p>{things.length === 0 ? words.none : words.gone}</p>
      <ul className={styles.list}>{things.map(line)}</ul>
      {left.length > 0 && <p>{words.left}</p>}
      {left.length > 0 && <ul className={styles.list}>{left.map(line)}</ul>}
      <p className={styles.note}>{words.rest}</p>
    </div>
  );
}
