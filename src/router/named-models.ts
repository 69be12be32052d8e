import type { Catalogue } from '../models/catalogue.ts';
import type { Capability, Model } from '../models/model.ts';
import { NAMED_USES, type ServiceSettings } from '../contract/settings.ts';
import { type ModelUse, isCapable, modelNamed } from '../models/default-model.ts';

/** The use whose model decides about a capability: the first of these that the alias has. */
const DECIDING_USES: Readonly<Record<Capability, readonly ModelUse[]>> = {
  embed: ['embed'],
  explain: ['explain', 'evaluate', 'predict'],
  likelihood: ['explain', 'complete'],
  complete: ['complete'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa'],
  images: ['explain', 'complete', 'qa'],
  chat: ['complete'],
};

/**
 * Aliases as models that can be listed: each has the capabilities of its models, and the shortest of their contexts. An alias
 * without a model that exists now is left out, and so is the name of a local model.
 */
export function namedAsModels(names: ServiceSettings['modelNames'], catalogue: Catalogue): readonly Model[] {
  return Object.entries(names).flatMap(([name, models]) => {
    if (catalogue.find(name)) return [];
    const byUse = new Map<ModelUse, Model>();
    for (const use of NAMED_USES) {
      const model = catalogue.find(modelNamed(models, use) ?? '');
      if (model && isCapable(model, use)) byUse.set(use, model);
    }
    const [first] = byUse.values();
    return first ? [aliasModel(name, first, byUse)] : [];
  });
}

function aliasModel(name: string, first: Model, byUse: ReadonlyMap<ModelUse, Model>): Model {
  const models = [...new Set(byUse.values())];
  const capabilities = (Object.keys(DECIDING_USES) as readonly Capability[]).filter((capability) => {
    const use = DECIDING_USES[capability].find((each) => byUse.has(each));
    return use !== undefined && byUse.get(use)?.capabilities.includes(capability);
  });
  const described = models.map((model) => {
    const uses = [...byUse].filter(([, each]) => each === model).map(([use]) => use);
    return `${model.name} (${uses.join(', ')})`;
  });
  return {
    ...first,
    name,
    capabilities,
    description: `Another name of ${described.join(' and ')}.`,
    contextTokens: Math.min(...models.map(({ contextTokens }) => contextTokens)),
  };
}
