import { useLayoutEffect } from 'react';
import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';
import './styles/print.css';
import type { Stores } from '../state/stores.ts';
import { FileDrop } from './file-drop.tsx';
import { Header } from './header/header.tsx';
import { StrangersNotice } from './header/strangers-notice.tsx';
import { CurrentPage } from './pages.tsx';
import { StoresContext, useStoreValue } from './use-stores.ts';
import styles from './app.module.css';

/** The whole page over its stores. */
export function App({ stores }: { readonly stores: Stores }) {
  return (
    <StoresContext value={stores}>
      <ThemeOnDocument />
      <div className={styles.page}>
        <Header />
        <StrangersNotice />
        <CurrentPage />
        <FileDrop />
      </div>
    </StoresContext>
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
