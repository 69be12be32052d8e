import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStores, type Stores } from '../../src/app/create-stores.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../src/contract/settings.ts';
import type { ModelFacts } from '../../src/stores/models-store.ts';
import type { ModelChoices } from '../../src/stores/settings-store.ts';
import { StoresContext } from '../../src/stores/use-stores.ts';
import { createFakeMemory, createFakePage } from './fakes/fake-memory.ts';
import { SILENT_OPTIONS } from './silent-client.ts';

/** The stores of a page on which nothing is asked. */
export function silentStores(given: {
  readonly settings?: Partial<ServiceSettings>;
  readonly modelFacts?: readonly ModelFacts[];
  readonly choices?: Partial<ModelChoices>;
}): Stores {
  const { modelFacts = [] } = given;
  const settings = { ...DEFAULT_SETTINGS, ...given.settings };
  const options = {
    ...SILENT_OPTIONS,
    modelFacts,
    token: () => '',
    model: modelFacts[0]?.name ?? '',
    storage: createFakeMemory(),
    settings: { get: () => settings, set: () => settings, subscribe: () => () => undefined },
    tokens: { current: () => 'secret', replace: () => 'other' },
    choices: { explain: [], semantic_embed: [], qa: [], ...given.choices },
    models: modelFacts.map(({ name }) => name),
    languages: ['en'],
    address: { location: { hash: '' }, ...createFakePage() },
  };
  return createStores(options);
}

/** What an element of the page shows in the current state, as HTML: effects do not run. */
export function renderedIn(stores: Stores, element: ReactNode): string {
  // React renders to text with what a store was at first.
  for (const store of Object.values(stores)) Object.assign(store, { getInitialState: store.getState });
  return renderToStaticMarkup(createElement(StoresContext, { value: stores }, element));
}
