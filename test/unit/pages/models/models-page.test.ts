import { createElement } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { ModelsPage } from '../../../../src/pages/models/models-page.tsx';
import { MODEL_FACTS } from '../../../support/silent-client.ts';
import { renderedIn, silentStores } from '../../../support/silent-page.ts';

const EXPORTED = { ...MODEL_FACTS, tier: 'as_exported', reason: 'it is old', card: null } as const;

/** The page with one model, after its card was opened. */
async function pageOf(model: typeof EXPORTED | (Omit<typeof EXPORTED, 'upstream'> & { upstream: string })) {
  const stores = silentStores({ modelFacts: [model] });
  await stores.models.getState().open(model.name);
  return renderedIn(stores, createElement(ModelsPage));
}

// What the page loads lazily: nothing may be loading when the tests end.
beforeAll(() =>
  Promise.all([
    import('../../../../src/pages/models/own/own-models-section.tsx'),
    import('../../../../src/pages/models/writing-panel.tsx'),
  ]),
);

describe('ModelsPage', () => {
  it('says that a network runs as it was exported, and that its folder has no card', async () => {
    const page = await pageOf(EXPORTED);
    expect(page).toContain('Runs without explanations and controls.');
    expect(page).toContain('The folder of this model has no README.md.');
  });

  it('says of a model of a server how it is explained, and nothing about a folder', async () => {
    const page = await pageOf({ ...EXPORTED, upstream: 'http://localhost:8000/v1' });
    expect(page).toContain('Is explained by deleting parts of the prompt.');
    expect(page).toContain('Reason: it is old');
    expect(page).not.toMatch(/without explanations|folder of this model/);
  });
});
