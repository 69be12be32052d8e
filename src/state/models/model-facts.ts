import { canDo } from '../../models/default-model.ts';
import type { Model } from '../../models/model.ts';
import type { ModelFacts } from './models-store.ts';

/** What the pages show of a model of the catalogue; `card` is null where its folder lists no README.md. */
export function factsOf(model: Model): ModelFacts {
  const { name, version, description, contextTokens, capabilities, folder } = model;
  const { tier = 'steered', reason = null, files = {}, held } = model;
  const mayHaveCard = model.tier === undefined || Object.hasOwn(files, 'README.md'); // found models list all their files
  const card = held?.['README.md'] ?? (mayHaveCard ? new URL('README.md', folder).href : null);
  return {
    name,
    version,
    description,
    contextTokens,
    readsImages: capabilities.includes('images'),
    writes: canDo(model, 'complete'),
    tier,
    reason,
    hashes: hashesOf(files),
    card,
  };
}

function hashesOf(files: NonNullable<Model['files']>): ModelFacts['hashes'] {
  const known = Object.entries(files).flatMap(([path, { sha256 }]) => (sha256 === undefined ? [] : [[path, sha256]]));
  return known.length > 0 && known.length === Object.keys(files).length ? Object.fromEntries(known) : null;
}
