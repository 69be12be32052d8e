import type { Catalogue } from './catalogue.ts';
import type { Capability, Model } from './model.ts';
import type { NAMED_USES, NamedModels, ServiceSettings } from '../contract/settings.ts';

/** A use of a model by a request. */
export type ModelUse = (typeof NAMED_USES)[number];

/** A model needs one of these capabilities; where a request names no model, one with the first is preferred. */
const CAPABILITIES: Readonly<Record<ModelUse, readonly Capability[]>> = {
  embed: ['embed'],
  explain: ['explain', 'likelihood'],
  evaluate: ['explain', 'likelihood'],
  predict: ['explain'],
  complete: ['explain', 'complete', 'likelihood'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa', 'explain', 'complete'], // a model that continues texts can write an answer
};

/** Whether a model can be used for a use. */
export function isCapable({ capabilities }: Model, use: ModelUse): boolean {
  return CAPABILITIES[use].some((capability) => capabilities.includes(capability));
}

/** The models for a use, those with the preferred capability first. */
export function capableModels(use: ModelUse, { models }: Catalogue): readonly Model[] {
  const withCapability = (wanted: Capability) => models.filter(({ capabilities }) => capabilities.includes(wanted));
  return [...new Set(CAPABILITIES[use].flatMap(withCapability))];
}

/**
 * The model for requests that name none: the chosen one, else the first capable one; undefined where there is none.
 *
 * @param needed  a further capability: if any capable model has it, only those count
 */
export function defaultModel(
  use: ModelUse,
  catalogue: Catalogue,
  { defaultModels }: ServiceSettings,
  needed?: Capability,
): Model | undefined {
  const capable = capableModels(use, catalogue);
  const fitting = capable.filter(({ capabilities }) => needed === undefined || capabilities.includes(needed));
  const candidates = fitting.length > 0 ? fitting : capable;
  // The model that is explained writes, too.
  const chosen: Readonly<Partial<Record<ModelUse, string | null>>> = {
    complete: defaultModels.explain,
    ...defaultModels,
  };
  return candidates.find((model) => model.name === chosen[use]) ?? candidates[0];
}

/** The name of the local model for an alias and a use; undefined where there is none. */
export function modelNamed(models: NamedModels, use: ModelUse): string | undefined {
  return typeof models === 'string' ? models : models[use];
}
