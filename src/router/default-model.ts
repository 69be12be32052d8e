import type { Catalogue } from '../models/catalogue.ts';
import type { Capability, Model } from '../models/model.ts';
import type { ServiceSettings } from '../contract/settings.ts';

/** An operation as far as it needs a model. */
export type Operation = 'embed' | 'explain' | 'semantic_embed' | 'qa';

/** What a model must be able to do, any of these; where no model is named, a model with the first is preferred. */
const CAPABILITIES: Readonly<Record<Operation, readonly Capability[]>> = {
  embed: ['embed'],
  explain: ['explain'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa', 'explain'], // a model that continues texts can write an answer
};

/** Whether a model can be used for an operation. */
export function canDo({ capabilities }: Model, operation: Operation): boolean {
  return CAPABILITIES[operation].some((capability) => capabilities.includes(capability));
}

/** The models that can be used for an operation, those that were made for it first. */
export function ableModels(operation: Operation, { models }: Catalogue): readonly Model[] {
  const withCapability = (wanted: Capability) => models.filter(({ capabilities }) => capabilities.includes(wanted));
  return [...new Set(CAPABILITIES[operation].flatMap(withCapability))];
}

/** The model for requests that name none: the chosen one, else the first that is able; undefined where none is. */
export function defaultModel(
  operation: Operation,
  catalogue: Catalogue,
  { defaultModels }: ServiceSettings,
): Model | undefined {
  const able = ableModels(operation, catalogue);
  const name = operation === 'embed' ? null : defaultModels[operation];
  return able.find((model) => model.name === name) ?? able[0];
}
