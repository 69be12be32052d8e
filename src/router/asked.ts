import { failure, success, type Result } from '../contract/failure.ts';
import type { PromptItem, Prompt } from '../contract/prompt.ts';
import type { Capability, Model } from '../models/model.ts';
import type { ControlOptions, PrepareJob } from '../protocol/jobs.ts';
import type { Setting } from './setting.ts';

/** What every request for a model says. */
interface Asked {
  readonly model: string;
  readonly hosting?: string | null | undefined;
}

/**
 * The model a request asks for.
 *
 * @returns PAYLOAD_ERROR for a foreign operator, UNKNOWN_MODEL, or MISSING_CAPABILITY
 */
export function askedModel({ model: name, hosting }: Asked, capability: Capability, setting: Setting): Result<Model> {
  const { catalogue, operator } = setting;
  if (hosting !== undefined && hosting !== null && hosting !== 'operator' && hosting !== operator)
    return failure('PAYLOAD_ERROR', `hosting: expected null, "operator" or "${operator}", got "${hosting}"`);
  const model = catalogue.find(name);
  if (!model) return failure('UNKNOWN_MODEL', `model: expected one of ${known(setting)}, got "${name}"`);
  if (model.capabilities.includes(capability)) return success(model);
  return failure('MISSING_CAPABILITY', `model: expected one that can ${capability}, got "${name}", which cannot`);
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
