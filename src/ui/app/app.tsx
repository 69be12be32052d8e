import { lazy, Suspense, useLayoutEffect } from 'react';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/forced-colors.css';
import '../styles/print.css';
import type { Stores } from '../../state/stores.ts';
import { FallbackBoundary } from '../parts/feedback/fallback-boundary.tsx';
import { FileDrop } from './file-drop.tsx';
import { Header } from './header/header.tsx';
import { StrangersNotice } from './header/strangers-notice.tsx';
import { CurrentPage } from './pages.tsx';
import { StoresContext, useStoreValue } from '../use-stores.ts';
import styles from './app.module.css';

/** The whole page over its stores. */
export function App({ stores }: { readonly stores: Stores }) {
  return (
    <StoresContext value={stores}>
      <ThemeOnDocument />
      <SpokenPage />
    </StoresContext>
  );
}

/** Everything that is read, drawn again when another language is spoken. */
function SpokenPage() {
  const spoken = useStoreValue('language', (state) => state.spoken);
  useLayoutEffect(() => {
    document.documentElement.lang = spoken;
  }, [spoken]);
  return (
    <div className={styles.page} key={spoken}>
      <Header />
      <StrangersNotice />
      <Newer />
      <CurrentPage />
      <FileDrop />
    </div>
  );
}

const NewerNotice = lazy(async () => ({ default: (await import('../privacy/newer-notice.tsx')).NewerNotice }));

/** Says that a newer version is here, once it is, unless that was read. */
function Newer() {
  const isShown = useStoreValue('offline', ({ isNewer, isNoticed }) => isNewer && !isNoticed);
  return (
    isShown && (
      <FallbackBoundary fallback={null}>
        <Suspense>
          <NewerNotice />
        </Suspense>
      </FallbackBoundary>
    )
  );
}

/** Writes the theme where the style sheets look for it. */
function ThemeOnDocument() {
  const theme = useStoreValue('theme', (state) => state.theme);
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return null;
}
