import type { OfflinePart } from '../../protocol/page/site-files.ts';
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/buttons.tsx';
import { namesText } from '../../parts/names-text.ts';
import { ProgressBar, StatusDot } from '../../parts/feedback/status.tsx';
import { SettingsSection } from '../../parts/fields/fields.tsx';
import { Dialog } from '../../parts/layout/blocks.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import type { StoredItem } from '../../protocol/page/privacy-facts.ts';
import { cachedSizes, isFullyCached } from '../../stores/status-stores.ts';
import { useMachinesInUse, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText, sizeText } from '../../words/language.ts';
import styles from './privacy.module.css';
import { RequestsSection } from './requests-section.tsx';
import { privacyWords } from './words.en.ts';

/** Offline use, requests and storage of the app, for the user to check. @param stateSection  saves and opens the state of all pages */
export function PrivacyPage({ stateSection }: { readonly stateSection: ReactNode }) {
  const words = privacyWords();
  const engine = useMachinesInUse();
  const claim = engine ? words.sent(namesText(engine.models), engine.address) : words.claim;
  return (
    <PageLayout title={words.title} claim={claim}>
      <div className={styles.sections}>
        <OfflineSection />
        <RequestsSection />
        <StorageSection />
        {stateSection}
      </div>
    </PageLayout>
  );
}

/** The files that are on the device, and the download of the others. */
function OfflineSection() {
  const words = privacyWords().offline;
  const { parts, isDownloading } = useStoreValue('offline', (state) => state);
  const { bytes, cachedBytes } = cachedSizes(parts);
  return (
    <SettingsSection title={words.title} about={words.about}>
      <div className={styles.state} data-testid="offline">
        <StatusDot look={isDownloading ? 'pulsing' : isFullyCached(parts) ? 'lit' : 'failed'} />
        <p role="status">
          <OfflineText />
        </p>
      </div>
      {isDownloading && bytes > 0 && <ProgressBar label={words.progress} share={cachedBytes / bytes} />}
      <DownloadButton />
      <InstallButton />
      {parts.length > 0 && <Parts parts={parts} />}
    </SettingsSection>
  );
}

function OfflineText() {
  const words = privacyWords().offline;
  const { kind, parts, isDownloading, hasOlder } = useStoreValue('offline', (state) => state);
  const serviceWorker = useStoreValue('transports', (state) => state.serviceWorker);
  const { bytes, cachedBytes } = cachedSizes(parts);
  if (kind === 'absent' || serviceWorker === 'absent' || serviceWorker === 'failed')
    return `${words.absent} ${words.absentWhy}`;
  if (isFullyCached(parts)) return words.whole;
  if (isDownloading) return words.keeping(sizeText(cachedBytes), sizeText(bytes));
  if (parts.length === 0) return words.unknown;
  const missing = sizeText(bytes - cachedBytes);
  return hasOlder ? words.missingNewer(missing) : words.missing(missing);
}

/** Shown if files are missing and are not being downloaded. */
function DownloadButton() {
  const words = privacyWords().offline;
  const { parts, isDownloading, problem, actions } = useStoreValue('offline', (state) => state);
  if (isDownloading || actions === null || (isFullyCached(parts) && problem === null)) return null;
  return (
    <>
      <p className={styles.problem} role="alert">
        {problem !== null && words.stopped(problem)}
      </p>
      <div>
        <Button onClick={() => void actions.download()}>{problem === null ? words.fetch : words.retry}</Button>
      </div>
    </>
  );
}

function InstallButton() {
  const words = privacyWords().offline;
  const install = useStoreValue('offline', (state) => state.install);
  return (
    install && (
      <div>
        <Button onClick={install}>{words.install}</Button>
      </div>
    )
  );
}

function Parts({ parts }: { readonly parts: readonly OfflinePart[] }) {
  const words = privacyWords().offline;
  return (
    <WideTable
      label={words.parts}
      caption={null}
      className={styles.table}
      frameClass={styles.scroll}
      head={[words.part, words.onDevice, words.size]}
      rows={parts.map(({ name, bytes, cachedBytes }) => ({
        name: name === 'app' ? words.app : name,
        cells: [
          cachedBytes === bytes ? words.yes : cachedBytes === 0 ? words.no : words.some(sizeText(cachedBytes)),
          sizeText(bytes),
        ],
      }))}
    />
  );
}

function StorageSection() {
  const { kept: words, clear } = privacyWords();
  const storage = useStoreValue('privacy', (state) => state.storage);
  const [isClearing, setClearing] = useState(false);
  const { usedBytes = null, allowedBytes = null } = storage ?? {};
  const ours = storage?.items.filter(({ isOwn }) => isOwn) ?? [];
  const others = storage?.items.filter(({ isOwn }) => !isOwn) ?? [];
  return (
    <SettingsSection title={words.title} about={words.about}>
      {ours.length > 0 ? <StoredItems caption={words.table} items={ours} /> : <p>{storage && words.nothing}</p>}
      {others.length > 0 && <StoredItems caption={words.others} items={others} />}
      {ours.length > 0 && usedBytes !== null && allowedBytes !== null && (
        <p className={styles.note}>{words.used(sizeText(usedBytes), sizeText(allowedBytes))}</p>
      )}
      <div>
        <Button onClick={() => setClearing(true)}>{clear.button}</Button>
      </div>
      {isClearing && <ClearDialog onClose={() => setClearing(false)} />}
    </SettingsSection>
  );
}

function StoredItems({ caption, items }: { readonly caption: string; readonly items: readonly StoredItem[] }) {
  const words = privacyWords().kept;
  const sizeOf = ({ bytes, files }: StoredItem) =>
    (bytes === null ? '–' : sizeText(bytes)) + (files === null ? '' : `, ${countText(files, words.files)}`);
  const nameOf = ({ kind, name }: StoredItem) => (
    <>
      {words.kinds[kind]} <code>{name}</code>
    </>
  );
  return (
    <WideTable
      label={caption}
      testId="kept"
      className={styles.table}
      frameClass={styles.scroll}
      head={[words.purpose, words.name, words.size]}
      rows={items.map((item) => ({
        name: item.isOwn ? purposeOf(item.name) : '–',
        cells: [{ text: nameOf(item) }, sizeOf(item)],
      }))}
    />
  );
}

/** The purpose of a stored item: that of the first entry that its name contains. */
function purposeOf(name: string): string {
  const { purposes, other } = privacyWords().kept;
  return Object.entries(purposes).find(([part]) => name.includes(part))?.[1] ?? other;
}

/** Asks for confirmation, clears the storage, shows what was removed, and opens the app as on a first visit. */
function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const words = privacyWords().clear;
  const clearing = useStoreValue('privacy', (state) => state.clearing);
  const { privacy } = useStores();
  const isAsked = clearing.kind !== 'not asked';
  return (
    <Dialog
      title={clearing.kind === 'done' ? words.done : words.title}
      closeText={null}
      testId="clear"
      onClose={isAsked ? reloadApp : onClose}
    >
      {clearing.kind === 'not asked' && <Confirmation onCancel={onClose} onConfirm={privacy.getState().clear} />}
      {clearing.kind === 'running' && <p role="status">{words.running}</p>}
      {clearing.kind === 'failed' && <p role="alert">{words.failed(clearing.message)}</p>}
      {clearing.kind === 'done' && <ClearedNotice items={clearing.gone} />}
      {(clearing.kind === 'done' || clearing.kind === 'failed') && (
        <div>
          <Button look="primary" ref={focusButton} onClick={reloadApp}>
            {words.again}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** The button that had the focus was removed. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Opens the app as on a first visit; state in memory is not stored again. */
function reloadApp(): void {
  location.replace(new URL('.', document.baseURI));
}

function Confirmation({ onCancel, onConfirm }: { onCancel(): void; onConfirm(): Promise<void> }) {
  const words = privacyWords().clear;
  const tabs = useStoreValue('privacy', ({ storage }) => storage?.tabs ?? 1);
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

function ClearedNotice({ items }: { readonly items: readonly StoredItem[] }) {
  const { clear: words, kept } = privacyWords();
  const left = useStoreValue('privacy', (state) => state.storage)?.items.filter(({ isOwn }) => isOwn) ?? [];
  const line = ({ kind, name, bytes, files }: StoredItem) => (
    <li key={`${kind} ${name}`}>
      {kept.kinds[kind]} <code>{name}</code>
      {bytes !== null && ` (${sizeText(bytes)}${files === null ? '' : `, ${countText(files, kept.files)}`})`}
    </li>
  );
  return (
    <div role="status" className={styles.gone}>
      <p>{items.length === 0 ? words.none : words.gone}</p>
      <ul className={styles.list}>{items.map(line)}</ul>
      {left.length > 0 && <p>{words.left}</p>}
      {left.length > 0 && <ul className={styles.list}>{left.map(line)}</ul>}
      <p className={styles.note}>{words.rest}</p>
    </div>
  );
}
