import type { Page } from '../state/page/page-store.ts';

const NAMES: Readonly<Record<Page, string>> = {
  explain: 'Explain',
  models: 'Models',
  api: 'API',
  settings: 'Settings',
};

/** What a page is called in the navigation and in the window's title. */
export function pageName(page: Page): string {
  return NAMES[page];
}
