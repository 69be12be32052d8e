import { failure, success, type Result } from '../../contract/failure.ts';
import type { PromptItem, Prompt } from '../../contract/prompt.ts';
import type { Capability, Model } from '../../models/model.ts';
import type { ControlOptions, PrepareJob } from '../../protocol/jobs.ts';
import { canDo, defaultModel, type Operation } from '../../models/default-model.ts';
import type { Setting } from '../setting.ts';

/** What every request for a model says. */
interface Asked {
  /** Absent where the operation allows that: the default model for it. */
  readonly model?: string | null | undefined;
  readonly hosting?: string | null | undefined;
  /** What a model should be able to do besides the operation, where the request names none. */
  readonly needed?: Capability | undefined;
}

/**
 * The model a request asks for; a name that settings map to a local model is as good as that model's own.
 *
 * @returns PAYLOAD_ERROR for a foreign operator, UNKNOWN_MODEL, or MISSING_CAPABILITY
 */
export function askedModel(
  { model: name, hosting, needed }: Asked,
  operation: Operation,
  setting: Setting,
): Result<Model> {
  const { operator } = setting.settings();
  if (hosting !== undefined && hosting !== null && hosting !== 'operator' && hosting !== operator)
    return failure('PAYLOAD_ERROR', `hosting: expected null, "operator" or "${operator}", got "${hosting}"`);
  if (name === undefined || name === null) return modelWithoutName(operation, setting, needed);
  const model = namedModel(name, setting);
  if (!model) return failure('UNKNOWN_MODEL', `model: expected one of ${known(setting)}, got "${name}"`);
  if (canDo(model, operation)) return success(model);
  return failure('MISSING_CAPABILITY', `model: expected one that can ${operation}, got "${name}", which cannot`);
}

function namedModel(name: string, { catalogue, settings }: Setting): Model | undefined {
  const { modelNames } = settings();
  return catalogue.find(name) ?? (Object.hasOwn(modelNames, name) ? catalogue.find(modelNames[name] ?? '') : undefined);
}

function modelWithoutName(
  operation: Operation,
  { catalogue, settings }: Setting,
  needed: Capability | undefined,
): Result<Model> {
  const model = defaultModel(operation, catalogue, settings(), needed);
  if (model) return success(model);
  return failure('MISSING_CAPABILITY', `model: expected one that can ${operation}, and there is none here`);
}

function known({ catalogue }: Setting): string {
  return catalogue.models.map(({ name }) => `"${name}"`).join(', ');
}

/** What every job says about its model. */
export function prepareOf(model: Model, { backend }: Setting): PrepareJob {
  return { model, ...(backend && { backend }) };
}

/** A plain string is a prompt of one text item. */
export function itemsOf(prompt: Prompt): readonly PromptItem[] {
  return typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
}

/** How a request wants controls applied. */
export function controlsOf(body: {
  readonly contextual_control_threshold?: number | null | undefined;
  readonly control_log_additive: boolean;
}): ControlOptions {
  return { contextualThreshold: body.contextual_control_threshold ?? null, logAdditive: body.control_log_additive };
}
