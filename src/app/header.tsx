import { lazy, useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../parts/buttons.tsx';
import { engineText } from '../parts/engine-text.ts';
import { FallbackBoundary, StatusDot, Tooltip } from '../parts/feedback/status.tsx';
import { namesText } from '../parts/names-text.ts';
import { engineWords } from '../parts/words.en.ts';
import { isFullyCached } from '../stores/status-stores.ts';
import { hashOfCard, hashOfPage, PAGES } from '../stores/page-store.ts';
import { THEMES } from '../stores/preference-stores.ts';
import { useMachinesInUse, useStores, useStoreValue } from '../stores/use-stores.ts';
import styles from './header.module.css';
import { appWords } from './words.en.ts';

/** Name, pages, the model that runs, privacy, theme, keyboard; below them, a warning of other software at this address. */
export function Header() {
  const words = appWords();
  return (
    <>
      <header className={styles.header}>
        <a className={styles.name} href="." aria-label={words.home}>
          <Logo />
          Lightwell
        </a>
        <Navigation />
        <div className={styles.facts}>
          <ModelBadge />
          <PrivacyBadge />
          <ThemeChoice />
          <span className={styles.keys}>
            <KeyboardMap />
          </span>
        </div>
      </header>
      <OriginNotice />
    </>
  );
}

const CURRENT_PAGE = 'current-page';

function Navigation() {
  const current = useStoreValue('page', (state) => state.page);
  const words = appWords();
  return (
    <nav className={styles.pages} aria-label={words.navigation}>
      {PAGES.map((page) => (
        <a
          key={page}
          href={hashOfPage(page)}
          {...(page === current && { 'aria-current': 'page', id: CURRENT_PAGE, ref: show })}
        >
          {words.pages[page]}
        </a>
      ))}
    </nav>
  );
}

/** On a phone the row of links is wider than the screen. */
function show(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Warns of other software that runs or stores data at the page's own address. */
function OriginNotice() {
  const occupants = useStoreValue('transports', (state) => state.occupants);
  const { transports } = useStores();
  if (occupants.length === 0) return null;
  const words = appWords().occupants;
  return (
    <aside className={styles.notice} aria-label={words.label} data-testid="occupants">
      <details>
        <summary>{words.summary}</summary>
        <p>{words.advice}</p>
        <ul>
          {occupants.map(({ kind, name }) => (
            <li key={`${kind} ${name}`}>
              {words.kinds[kind]} <code>{name}</code>
            </li>
          ))}
        </ul>
      </details>
      <Button look="quiet" focus={CURRENT_PAGE} onClick={() => transports.setState({ occupants: [] })}>
        {words.hide}
      </Button>
    </aside>
  );
}

/** Where the models run, as a link to the page on which it can be checked. */
function PrivacyBadge() {
  const words = appWords().privacy;
  const isAll = useStoreValue('offline', ({ parts }) => isFullyCached(parts));
  const engine = useMachinesInUse();
  const inUse = engineWords();
  const alone = isAll ? `${words.long} ${words.offline}` : words.long;
  return (
    <Tooltip text={engine ? inUse.long(namesText(engine.models), engine.address) : alone}>
      {(describedBy) => (
        <a
          className={styles.privacy}
          href={hashOfPage('privacy')}
          aria-describedby={describedBy}
          data-testid="privacy-badge"
        >
          <Icon shape={engine ? 'device' : 'lock'} />
          <span className={styles.words}>{engine ? inUse.short(engine.host) : words.short}</span>
        </a>
      )}
    </Tooltip>
  );
}

const KeyDialog = lazy(async () => ({ default: (await import('./keys/key-dialog.tsx')).KeyDialog }));

/** The map of the keyboard: on `?`, and on a button. */
function KeyboardMap() {
  const [isOpen, setOpen] = useState(false);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isOpen ? event.key !== '?' : !opensKeyMap(event, isTyping(event.target))) return;
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
          <KeyDialog onClose={() => setOpen(false)} />
        </FallbackBoundary>
      )}
    </>
  );
}

/** Whether a key is typed into a text, or another dialog is open. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null);
}

/** Whether a key opens the map: not while a text is typed, and not with another key. */
export function opensKeyMap(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented'>,
  isTyping: boolean,
): boolean {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  return key === '?' && !isTyping && !ctrlKey && !metaKey && !altKey && !defaultPrevented;
}

const FIELDS = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select';

const DOT_LOOKS = { loading: 'pulsing', ready: 'lit', failed: 'failed' } as const;

/** The model and its backend, as a link to its card; the tooltip says why this backend. */
function ModelBadge() {
  const model = useStoreValue('engine', (state) => state.model);
  const status = useStoreValue('engine', (state) => state.status);
  const { short, long } = engineText(status);
  return (
    <Tooltip text={long}>
      {(describedBy) => (
        <a
          href={hashOfCard(model)}
          className={styles.badge}
          aria-describedby={describedBy}
          data-kind={status.kind}
          data-testid="model-badge"
        >
          <StatusDot look={DOT_LOOKS[status.kind]} />
          <span>
            <span className={styles.model}>{model}</span> · {short}
          </span>
        </a>
      )}
    </Tooltip>
  );
}

const THEME_ICONS = { system: 'device', light: 'sun', dark: 'moon' } as const satisfies Record<
  (typeof THEMES)[number],
  string
>;

function ThemeChoice() {
  const { theme: store } = useStores();
  const theme = useStoreValue('theme', (state) => state.theme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const words = appWords().theme;
  return (
    <Tooltip text={words.next[next]}>
      {(describedBy) => (
        <Button
          look="quiet"
          aria-label={words[theme]}
          aria-describedby={describedBy}
          onClick={() => store.getState().choose(next)}
        >
          <Icon shape={THEME_ICONS[theme]} />
        </Button>
      )}
    </Tooltip>
  );
}

/** The logo: a beam of light on a floor. */
function Logo() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="#16181d" />
      <path d="M9 0h14l-4 26h-6z" fill="#f6c453" />
      <ellipse cx="16" cy="26" rx="8" ry="3" fill="#f6c453" />
    </svg>
  );
}

/** Shapes on a 16 × 16 grid, in the colour of the surrounding text. */
const ICON_PATHS = {
  lock: 'M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  device: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
} as const;

/** A decorative icon; the text beside it says the same. */
function Icon({ shape }: { readonly shape: keyof typeof ICON_PATHS }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden>
      <path d={ICON_PATHS[shape]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
