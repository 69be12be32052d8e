import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import type { Page } from '../state/page/page-store.ts';
import { ExplainPage } from './explain/explain-page.tsx';
import { FallbackBoundary } from './parts/feedback/fallback-boundary.tsx';
import { useStoreValue } from './use-stores.ts';

interface PageEntry {
  /** Shown in the navigation and in the window's title. */
  readonly name: string;
  readonly Content: ComponentType;
}

/** The first page comes with the app; the others load when they are opened. */
const ENTRIES: Readonly<Record<Page, PageEntry>> = {
  explain: { name: 'Explain', Content: ExplainPage },
  models: {
    name: 'Models',
    Content: lazy(async () => ({ default: (await import('./models/models-page.tsx')).ModelsPage })),
  },
  api: { name: 'API', Content: lazy(async () => ({ default: (await import('./api/api-page.tsx')).ApiPage })) },
  settings: {
    name: 'Settings',
    Content: lazy(async () => ({ default: (await import('./settings/settings-page.tsx')).SettingsPage })),
  },
};

/** A page's name in the navigation. */
export function pageName(page: Page): string {
  return ENTRIES[page].name;
}

/** The title in `index.html`. */
const HOME_TITLE = document.title;

/** The page that the address names. */
export function CurrentPage() {
  const page = useStoreValue('page', (state) => state.page);
  const { name, Content } = ENTRIES[page];
  useEffect(() => {
    document.title = page === 'explain' ? HOME_TITLE : `${name} · Lightwell`;
  }, [page, name]);
  return (
    <FallbackBoundary key={page} fallback={<p role="alert">This page could not be loaded; reload to try again.</p>}>
      <Suspense fallback={<main aria-busy />}>
        <Content />
      </Suspense>
    </FallbackBoundary>
  );
}
