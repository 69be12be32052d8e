import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src/contract/settings.ts';
import { hostedNames } from '../../../../src/pages/settings/models-section.tsx';

const choices = { explain: ['base', 'other'], semantic_embed: ['embed'], qa: ['reader'] };
const here = { choices, models: ['base', 'other', 'embed', 'reader'] };
const writing = (name: string) => ({ explain: name, embed: name, evaluate: name, predict: name, complete: name });

describe('names of the hosted service', () => {
  it('stand for the default model of each operation', () => {
    const names = hostedNames(DEFAULT_SETTINGS, here);
    expect(Object.keys(names)).toHaveLength(6);
    expect(names['luminous-base']).toEqual({ ...writing('base'), semantic_embed: 'embed', qa: 'reader' });
    expect(names['luminous-supreme-control']).toEqual({ ...writing('base'), qa: 'reader' });
  });

  it('follow what was chosen, and leave out names that are taken', () => {
    const settings = {
      modelNames: { 'luminous-extended': 'other' },
      defaultModels: { explain: 'other', semantic_embed: null, qa: null },
    };
    const names = hostedNames(settings, { ...here, models: [...here.models, 'luminous-supreme'] });
    expect(names).not.toHaveProperty('luminous-extended');
    expect(names).not.toHaveProperty('luminous-supreme');
    expect(names['luminous-base']).toMatchObject({ explain: 'other' });
  });

  it('are none where no model can do anything', () => {
    expect(hostedNames(DEFAULT_SETTINGS, { choices: { explain: [], semantic_embed: [], qa: [] }, models: [] })).toEqual(
      {},
    );
  });
});
