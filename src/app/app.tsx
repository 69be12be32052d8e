import { type ComponentType, lazy, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';
import './styles/print.css';
import { ExplainPage } from '../pages/explain/explain-page.tsx';
import { FallbackBoundary } from '../parts/feedback/status.tsx';
import { type Page, PAGES } from '../stores/page-store.ts';
import { StoresContext, useStores, useStoreValue } from '../stores/use-stores.ts';
import styles from './app.module.css';
import type { Stores } from './create-stores.ts';
import { handleDrop } from './drops.ts';
import { Header } from './header.tsx';
import { appWords } from './words.en.ts';

/** The whole page over its stores. */
export function App({ stores }: { readonly stores: Stores }) {
  return (
    <StoresContext value={stores}>
      <ThemeOnDocument />
      <LocalizedPage />
    </StoresContext>
  );
}

/** Everything with texts, drawn again in another language. */
function LocalizedPage() {
  const language = useStoreValue('language', (state) => state.current);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <div className={styles.page} key={language}>
      <Header />
      <Newer />
      <CurrentPage />
      <FileDrop />
    </div>
  );
}

const NewerNotice = lazy(async () => ({ default: (await import('./update-notice.tsx')).UpdateNotice }));

function Newer() {
  const isShown = useStoreValue('offline', ({ isNewer, isNoticed }) => isNewer && !isNoticed);
  return (
    isShown && (
      <FallbackBoundary fallback={null}>
        <NewerNotice />
      </FallbackBoundary>
    )
  );
}

/** Modules of the pages: `pages/<page>/<page>-page.tsx` exports one component. */
const MODULES = import.meta.glob<Readonly<Record<string, ComponentType>>>([
  '../pages/*/*-page.tsx',
  '!../pages/{explain,privacy}/**',
]);

function lazyPage(page: Page): ComponentType {
  return lazy(async () => {
    const [content] = Object.values((await MODULES[`../pages/${page}/${page}-page.tsx`]?.()) ?? {});
    if (!content) throw new Error(`pages/${page}/${page}-page.tsx: expected a component`);
    return { default: content };
  });
}

const LazyPrivacyPage = lazy(async () => {
  const [{ PrivacyPage }, { StateSection }] = await Promise.all([
    import('../pages/privacy/privacy-page.tsx'),
    import('./state-section.tsx'),
  ]);
  return { default: () => <PrivacyPage stateSection={<StateSection />} /> };
});

/** The first page comes with the app; the others load when they are opened. */
const CONTENTS: Readonly<Record<string, ComponentType>> = {
  ...Object.fromEntries(PAGES.map((page) => [page, lazyPage(page)])),
  explain: ExplainPage,
  privacy: LazyPrivacyPage,
};

const HOME_TITLE = document.title;

function CurrentPage() {
  const page = useStoreValue('page', (state) => state.page);
  const words = appWords();
  const name = words.pages[page];
  const Content = CONTENTS[page] ?? ExplainPage;
  useEffect(() => {
    document.title = page === 'explain' ? HOME_TITLE : `${name} · Lightwell`;
  }, [page, name]);
  return (
    <FallbackBoundary key={page} fallback={<p role="alert">{words.pageFailed}</p>} pending={<main aria-busy />}>
      <Content />
    </FallbackBoundary>
  );
}

function ThemeOnDocument() {
  const theme = useStoreValue('theme', (state) => state.theme);
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return null;
}

/** Files dropped on the page go to the page that is open or are refused in words, text goes into the field below. */
function FileDrop() {
  const stores = useStores();
  const [refusal, setRefusal] = useState<string | null>(null);
  const onFiles = useEffectEvent(async (files: readonly File[], entries: readonly FileSystemEntry[]) => {
    setRefusal(await handleDrop(files, stores, entries));
  });
  useEffect(() => {
    const listening = new AbortController();
    const listen = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, act, listening);
    listen('dragover', preventOpening);
    listen('drop', (event) => {
      const files = [...(event.dataTransfer?.files ?? [])]; // empty once this has returned
      const items = [...(event.dataTransfer?.items ?? [])];
      const entries = items.flatMap((item) => item.webkitGetAsEntry() ?? []);
      preventOpening(event);
      if (files.length > 0) void onFiles(files, entries);
    });
    listen('pointerdown', () => setRefusal(null));
    listen('keydown', () => setRefusal(null));
    return () => listening.abort();
  }, []);
  return (
    <div className={styles.refusal} role="alert" data-testid="drop-refusal">
      {refusal}
    </div>
  );
}

/** A field still accepts dropped text. */
function preventOpening(event: DragEvent): void {
  const { target, dataTransfer } = event;
  if (!dataTransfer) return;
  const hasFiles = dataTransfer.types.includes('Files');
  if (!hasFiles && target instanceof Element && target.closest('input, textarea')) return;
  event.preventDefault();
  if (!hasFiles) dataTransfer.dropEffect = 'none';
}
