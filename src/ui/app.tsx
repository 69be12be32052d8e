import { useLayoutEffect } from 'react';
import type { Stores } from '../state/stores.ts';
import './styles/tokens.css';
import './styles/base.css';
import styles from './app.module.css';
import { CurrentPage } from './current-page.tsx';
import { Header } from './header/header.tsx';
import { StoresContext, useTheme } from './use-stores.ts';

/** The whole page over its stores. */
export function App({ stores }: { readonly stores: Stores }) {
  return (
    <StoresContext value={stores}>
      <ThemeOnDocument />
      <div className={styles.page}>
        <Header />
        <CurrentPage />
      </div>
    </StoresContext>
  );
}

/** Writes the theme where the style sheets look for it. */
function ThemeOnDocument() {
  const theme = useTheme((state) => state.theme);
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return null;
}
