import type { AvailableModel, ModelSettings } from '../../contract/models.ts';
import type { Model } from '../../models/model.ts';
import { namedAsModels } from '../../models/named-models.ts';
import type { RouterOptions } from '../router-options.ts';

/** The answer of `GET /model-settings`: the models, then the names from elsewhere that stand for some. */
export function modelSettings(options: RouterOptions): Response {
  return Response.json(listed(options).map(settingsOf));
}

function listed({ catalogue, settings }: RouterOptions): readonly Model[] {
  return [...catalogue.models, ...namedAsModels(settings().modelNames, catalogue)];
}

function settingsOf({ name, description, contextTokens, capabilities, tier, reason }: Model): ModelSettings {
  return {
    name,
    description,
    max_context_size: contextTokens,
    aligned: false,
    semantic_embedding: capabilities.includes('semantic_embed'),
    advanced_sampling: false,
    multimodal: capabilities.includes('images'),
    chat: capabilities.includes('chat'),
    prompt_template: '',
    tier: tier ?? 'steered',
    reason: reason ?? null,
  };
}

/** Representations that older clients name, with and without compression. @source contract facts §1.7 */
const SEMANTIC_TYPES = [
  ...['symmetric', 'symmetric_128', 'asymmetric_document'],
  ...['asymmetric_128_document', 'asymmetric_query', 'asymmetric_128_query'],
];

/** The answer of `GET /models_available`. */
export function modelsAvailable(options: RouterOptions): Response {
  const { operator } = options.settings();
  return Response.json(listed(options).map((model) => availableModel(model, operator)));
}

function availableModel({ name, description, contextTokens, capabilities }: Model, operator: string): AvailableModel {
  return {
    name,
    description,
    max_context_size: contextTokens,
    hostings: [operator],
    image_support: capabilities.includes('images'),
    qa_support: capabilities.includes('qa'),
    summarization_support: false,
    embedding_types: embeddingTypes(capabilities),
    maximum_completion_tokens: null,
    aligned: false,
  };
}

/** A model whose states can be pooled, but not compared, has the one type that says so. */
function embeddingTypes(capabilities: Model['capabilities']): string[] {
  if (capabilities.includes('semantic_embed')) return SEMANTIC_TYPES;
  return capabilities.includes('embed') ? ['pooling_only'] : [];
}
