import type { Catalogue } from './catalogue.ts';
import type { Capability, Model } from './model.ts';
import type { NAMED_USES, NamedModels, ServiceSettings } from '../contract/settings.ts';

/** What a request can want a model for. */
export type ModelUse = (typeof NAMED_USES)[number];

/** Uses for which settings choose a model. */
export type ChosenUse = keyof ServiceSettings['defaultModels'];

/** What a model must be able to do, any of these; where no model is named, a model with the first is preferred. */
const CAPABILITIES: Readonly<Record<ModelUse, readonly Capability[]>> = {
  embed: ['embed'],
  explain: ['explain'],
  evaluate: ['explain'], // these three ask how likely a text is
  predict: ['explain'],
  complete: ['explain', 'complete'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa', 'explain', 'complete'], // a model that continues texts can write an answer
};

/** Whether a model can be used for a use. */
export function canDo({ capabilities }: Model, use: ModelUse): boolean {
  return CAPABILITIES[use].some((capability) => capabilities.includes(capability));
}

/** The models that can be used so, those that were made for it first. */
export function ableModels(use: ModelUse, { models }: Catalogue): readonly Model[] {
  const withCapability = (wanted: Capability) => models.filter(({ capabilities }) => capabilities.includes(wanted));
  return [...new Set(CAPABILITIES[use].flatMap(withCapability))];
}

/**
 * The model for requests that name none: the chosen one, else the first that is able; undefined where none is. Of able
 * models only those count that can do what else the request needs, if there are any.
 */
export function defaultModel(
  use: ModelUse,
  catalogue: Catalogue,
  { defaultModels }: ServiceSettings,
  needed?: Capability,
): Model | undefined {
  const able = ableModels(use, catalogue);
  const fitting = able.filter(({ capabilities }) => needed === undefined || capabilities.includes(needed));
  const candidates = fitting.length > 0 ? fitting : able;
  const chosen: Readonly<Partial<Record<ModelUse, string | null>>> = defaultModels;
  return candidates.find((model) => model.name === chosen[use]) ?? candidates[0];
}

/** The name of the local model that a name from elsewhere stands for in a use; undefined where it stands for none. */
export function modelNamed(models: NamedModels, use: ModelUse): string | undefined {
  return typeof models === 'string' ? models : models[use];
}
