import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import type { Page } from '../../state/page/page-store.ts';
import { ExplainPage } from '../explain/explain-page.tsx';
import { FallbackBoundary } from '../parts/feedback/fallback-boundary.tsx';
import { appWords } from '../../words/en/app.ts';
import { useStoreValue } from '../use-stores.ts';

/** The first page comes with the app; the others load when they are opened. */
const CONTENTS: Readonly<Record<Page, ComponentType>> = {
  explain: ExplainPage,
  documents: lazy(async () => ({ default: (await import('../documents/documents-page.tsx')).DocumentsPage })),
  meaning: lazy(async () => ({ default: (await import('../meaning/meaning-page.tsx')).MeaningPage })),
  inside: lazy(async () => ({ default: (await import('../inside/inside-page.tsx')).InsidePage })),
  learn: lazy(async () => ({ default: (await import('../learn/learn-page.tsx')).LearnPage })),
  models: lazy(async () => ({ default: (await import('../models/models-page.tsx')).ModelsPage })),
  api: lazy(async () => ({ default: (await import('../api/api-page.tsx')).ApiPage })),
  settings: lazy(async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage })),
  privacy: lazy(async () => ({ default: (await import('../privacy/privacy-page.tsx')).PrivacyPage })),
};

/** The title in `index.html`. */
const HOME_TITLE = document.title;

/** The page that the address names. */
export function CurrentPage() {
  const page = useStoreValue('page', (state) => state.page);
  const words = appWords();
  const name = words.pages[page];
  const Content = CONTENTS[page];
  useEffect(() => {
    document.title = page === 'explain' ? HOME_TITLE : `${name} · Lightwell`;
  }, [page, name]);
  return (
    <FallbackBoundary key={page} fallback={<p role="alert">{words.pageFailed}</p>}>
      <Suspense fallback={<main aria-busy />}>
        <Content />
      </Suspense>
    </FallbackBoundary>
  );
}
