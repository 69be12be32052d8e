import type { ModelSettings } from '../../contract/model-settings.ts';
import type { Model } from '../../models/model.ts';
import type { Setting } from '../setting.ts';

/** Answers `GET /model-settings`. */
export function answerModelSettings({ catalogue }: Setting): Response {
  return Response.json(catalogue.models.map(settingsOf));
}

function settingsOf({ name, description, contextTokens, capabilities }: Model): ModelSettings {
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
  };
}
