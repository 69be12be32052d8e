import type { ServiceSettings } from '../contract/settings.ts';
import type { Catalogue } from './catalogue.ts';
import { canDo, type ModelUse, modelNamed } from './default-model.ts';
import type { Capability, Model } from './model.ts';

/** Which operation's model has the say in each capability, the first of these that the name stands for. */
const SAY: Readonly<Record<Capability, readonly ModelUse[]>> = {
  embed: ['embed'],
  explain: ['explain', 'evaluate', 'predict'],
  complete: ['complete'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa'],
  images: ['explain', 'complete', 'qa'],
  chat: ['complete'],
};

const USES: readonly ModelUse[] = ['explain', 'embed', 'evaluate', 'predict', 'complete', 'semantic_embed', 'qa'];

/**
 * Names from elsewhere as models that can be listed: each can do what the models can that it stands for, in as many tokens as the
 * shortest of them takes. One that stands for nothing that is there now is left out, and so is one that a local model has.
 */
export function namedAsModels(names: ServiceSettings['modelNames'], catalogue: Catalogue): readonly Model[] {
  return Object.entries(names).flatMap(([name, models]) => {
    if (catalogue.find(name)) return [];
    const found = new Map<ModelUse, Model>();
    for (const use of USES) {
      const model = catalogue.find(modelNamed(models, use) ?? '');
      if (model && canDo(model, use)) found.set(use, model);
    }
    const [first] = found.values();
    return first ? [oneOf(name, first, found)] : [];
  });
}

function oneOf(name: string, first: Model, found: ReadonlyMap<ModelUse, Model>): Model {
  const all = [...new Set(found.values())];
  const capabilities = (Object.keys(SAY) as readonly Capability[]).filter((capability) => {
    const use = SAY[capability].find((each) => found.has(each));
    return use !== undefined && found.get(use)?.capabilities.includes(capability);
  });
  const standsFor = all.map((model) => {
    const uses = [...found].filter(([, each]) => each === model).map(([use]) => use);
    return `${model.name} (${uses.join(', ')})`;
  });
  return {
    ...first,
    ...{ name, capabilities, description: `Another name of ${standsFor.join(' and ')}.` },
    contextTokens: Math.min(...all.map(({ contextTokens }) => contextTokens)),
  };
}
