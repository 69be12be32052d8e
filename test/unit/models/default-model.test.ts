import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import { defaultModel } from '../../../src/models/default-model.ts';

const [base, ...others] = embeddedModels('http://localhost/models/');
if (base === undefined) throw new RangeError('expected an embedded model');
const catalogue = createCatalogue([base, { ...base, name: 'own' }, ...others]);

describe('the model of a request that names none', () => {
  it('is the first that can', () =>
    expect(defaultModel('complete', catalogue, DEFAULT_SETTINGS)?.name).toBe(base.name));

  it('is the one that the page explains, where a text is written', () => {
    const defaultModels = { ...DEFAULT_SETTINGS.defaultModels, explain: 'own' };
    expect(defaultModel('complete', catalogue, { ...DEFAULT_SETTINGS, defaultModels })?.name).toBe('own');
    expect(defaultModel('semantic_embed', catalogue, { ...DEFAULT_SETTINGS, defaultModels })?.name).not.toBe('own');
  });
});
