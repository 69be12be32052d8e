import type { AvailableModel } from '../../contract/models-available.ts';
import type { Model } from '../../models/model.ts';
import type { Setting } from '../setting.ts';

/** Representations that older clients name, with and without compression. @source contract facts §1.7 */
const SEMANTIC_TYPES = [
  ...['symmetric', 'symmetric_128', 'asymmetric_document'],
  ...['asymmetric_128_document', 'asymmetric_query', 'asymmetric_128_query'],
];

/** Answers `GET /models_available`. */
export function answerModelsAvailable({ catalogue, settings }: Setting): Response {
  const { operator } = settings();
  return Response.json(catalogue.models.map((model) => availableModel(model, operator)));
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
