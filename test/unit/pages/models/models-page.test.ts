import { createElement } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../../../src/contract/settings.ts';
import type { ModelFacts } from '../../../../src/stores/models-store.ts';
import { ModelsPage } from '../../../../src/pages/models/models-page.tsx';
import { CALIBRATION, MODEL_FACTS } from '../../../support/silent-client.ts';
import { renderedIn, silentStores } from '../../../support/silent-page.ts';

const EXPORTED = { ...MODEL_FACTS, tier: 'as_exported', reason: 'it is old', card: null } as const;

/** The page with one model, after its card was opened. */
async function pageOf(model: ModelFacts, calibrations: ServiceSettings['calibrations'] = {}) {
  const stores = silentStores({ modelFacts: [model] });
  stores.settings.setState({ settings: { ...DEFAULT_SETTINGS, calibrations } });
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

  it('says how a model of the user is explained, and whether it depends on its first token', async () => {
    const model = { ...EXPORTED, tier: 'steered', reason: null } as const;
    const unmeasured = await pageOf(model);
    expect(unmeasured).toContain('is measured in the background after its first explanation');
    const figures = { factor: 0, hidden: 0.754, dimmed: 0.6, lossDimmed: 3.9, lossDeleted: 0.5 };
    const delimiter = { delimiterDimmed: 1.5, delimiterDeleted: -0.004 };
    const page = await pageOf(model, { [model.name]: { ...CALIBRATION, ...figures, ...delimiter } });
    expect(page).toContain('This model depends on its first token: each later token loses 3.90 nats');
    expect(page).toContain('the first full stop or line end too: 1.50 nats when dimmed, 0.00 when deleted.');
    expect(page).toContain('Explanations hide words: the rank correlation with deletion is 0.75, and 0.60 when');
    const second = await pageOf(model, { [model.name]: CALIBRATION });
    expect(second).toContain('This model does not depend on its first token');
    expect(second).not.toContain('full stop');
    expect(second).toContain('Explanations multiply attention by 0.1: the rank correlation with deletion is 0.70');
  });

  it('says of a model of a server how it is explained, and nothing about a folder', async () => {
    const page = await pageOf({ ...EXPORTED, upstream: 'http://localhost:8000/v1' });
    expect(page).toContain('Is explained by deleting parts of the prompt.');
    expect(page).toContain('Reason: it is old');
    expect(page).not.toMatch(/without explanations|folder of this model/);
  });
});
