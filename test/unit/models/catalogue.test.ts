import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';

const FOLDER = new URL('../../../public/models/', import.meta.url).href;

describe('embeddedModels', () => {
  const models = embeddedModels(FOLDER);

  it('have names that differ', () => {
    expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
  });

  it.each(models)(
    '$name lies in the repository, with the context that the catalogue names',
    ({ folder, contextTokens }) => {
      const config: unknown = JSON.parse(readFileSync(new URL('config.json', folder), 'utf8'));
      expect(readNetworkConfig(config).contextTokens).toBe(contextTokens);
      expect(existsSync(fileURLToPath(new URL('tokenizer.json', folder)))).toBe(true);
    },
  );
});

describe('createCatalogue', () => {
  it('finds by name, prefers the first, and needs one', () => {
    const models = embeddedModels('http://localhost/models/');
    const catalogue = createCatalogue(models);
    expect(catalogue.find('lightwell-embed')?.capabilities).toContain('semantic_embed');
    expect(catalogue.find('none')).toBeUndefined();
    expect(catalogue.preferred).toBe(models[0]);
    expect(() => createCatalogue([])).toThrow(/at least one model/);
  });

  it('takes models that are found later, and tells of them', () => {
    const [model, ...others] = embeddedModels('http://localhost/models/');
    if (!model) throw new Error('no models');
    const catalogue = createCatalogue(others);
    let told = 0;
    const end = catalogue.subscribe(() => told++);
    catalogue.add({ ...model, name: 'owner/found' });
    expect(catalogue.find('owner/found')?.version).toBe(model.version);
    expect(catalogue.models.map(({ name }) => name)).toContain('owner/found');
    expect(() => catalogue.add({ ...model, name: 'owner/found' })).toThrow(/named "owner\/found" already/);
    end();
    catalogue.add(model);
    expect(told).toBe(1);
  });
});
