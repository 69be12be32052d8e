import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import type { Page } from '../state/page/page-store.ts';
import { ExplainPage } from './explain/explain-page.tsx';
import { pageName } from './page-name.ts';
import { FallbackBoundary } from './parts/feedback/fallback-boundary.tsx';
import { usePage } from './use-stores.ts';

/** The first page comes with the app; the others when they are asked for. */
const COMPONENTS: Readonly<Record<Page, ComponentType>> = {
  explain: ExplainPage,
  models: lazy(async () => ({ default: (await import('./models/models-page.tsx')).ModelsPage })),
  api: lazy(async () => ({ default: (await import('./api/api-page.tsx')).ApiPage })),
  settings: lazy(async () => ({ default: (await import('./settings/settings-page.tsx')).SettingsPage })),
};

/** What `index.html` says. */
const HOME_TITLE = document.title;

/** The page that the address names. */
export function CurrentPage() {
  const page = usePage((state) => state.page);
  const Content = COMPONENTS[page];
  useEffect(() => {
    document.title = page === 'explain' ? HOME_TITLE : `${pageName(page)} · Lightwell`;
  }, [page]);
  return (
    <FallbackBoundary key={page} fallback={<p role="alert">This page could not be loaded; reload to try again.</p>}>
      <Suspense fallback={<main aria-busy />}>
        <Content />
      </Suspense>
    </FallbackBoundary>
  );
}
