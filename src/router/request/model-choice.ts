import { FailureError } from '../../contract/failure.ts';
import { canDo, defaultModel, modelNamed, type ModelUse } from '../../models/default-model.ts';
import type { Capability, Model } from '../../models/model.ts';
import type { ControlOptions } from '../../protocol/model-job.ts';
import type { RouterOptions } from '../router-options.ts';

/** The model that a request wants. */
export interface WantedModel {
  /** Absent where the operation allows that: the default model for it. */
  readonly model?: string | null | undefined;
  readonly hosting?: string | null | undefined;
  /** What a model should be able to do besides the operation, where the request names none. */
  readonly needed?: Capability | undefined;
}

/**
 * The model a request asks for; a name that settings map to a local model counts as that model's own.
 *
 * @throws {FailureError} PAYLOAD_ERROR for a foreign operator, UNKNOWN_MODEL, or MISSING_CAPABILITY
 */
export function chosenModel(
  { model: name, hosting, needed }: WantedModel,
  use: ModelUse,
  options: RouterOptions,
): Model {
  const { operator } = options.settings();
  if (hosting !== undefined && hosting !== null && hosting !== 'operator' && hosting !== operator)
    throw new FailureError('PAYLOAD_ERROR', `hosting: expected null, "operator" or "${operator}", got "${hosting}"`);
  if (name === undefined || name === null) return modelWithoutName(use, options, needed);
  const model = namedModel(name, use, options);
  if (!model) throw new FailureError('UNKNOWN_MODEL', `model: expected one of ${known(options)}, got "${name}"`);
  if (model.tier === 'refused')
    throw new FailureError('MODEL_UNAVAILABLE', `model: "${name}" cannot be used: ${model.reason ?? 'it was refused'}`);
  if (canDo(model, use)) return model;
  const why = model.tier === 'as_exported' ? `, because it runs as it was exported: ${model.reason ?? ''}` : '';
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected one that can ${use}, got "${name}", which cannot${why}`,
  );
}

/** @throws {FailureError} MISSING_CAPABILITY for a name that stands for models of other operations alone */
function namedModel(name: string, use: ModelUse, { catalogue, settings }: RouterOptions): Model | undefined {
  const { modelNames } = settings();
  const own = catalogue.find(name);
  const models = Object.hasOwn(modelNames, name) ? modelNames[name] : undefined;
  if (own || models === undefined) return own;
  const local = modelNamed(models, use);
  if (local !== undefined) return catalogue.find(local);
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected a name that stands for a model that can ${use}, got "${name}", which settings map for ${Object.keys(models).join(', ')}`,
  );
}

function modelWithoutName(
  use: ModelUse,
  { catalogue, settings }: RouterOptions,
  needed: Capability | undefined,
): Model {
  const model = defaultModel(use, catalogue, settings(), needed);
  if (model) return model;
  throw new FailureError('MISSING_CAPABILITY', `model: expected one that can ${use}, and there is none here`);
}

function known({ catalogue }: RouterOptions): string {
  return catalogue.models.map(({ name }) => `"${name}"`).join(', ');
}

/** How a request wants controls applied. */
export function controlOptions(body: {
  readonly contextual_control_threshold?: number | null | undefined;
  readonly control_log_additive: boolean;
}): ControlOptions {
  return { contextualThreshold: body.contextual_control_threshold ?? null, logAdditive: body.control_log_additive };
}
