import { FailureError } from '../../../src/contract/failure.ts';
import type { DialogueMessage } from '../../../src/protocol/likelihood/complete-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { Sequence } from '../prompt/sequence.ts';
import { tokenizeWithin, tooLong } from '../prompt/tokenize.ts';

/**
 * A dialogue as the model reads it, up to where its answer begins: in the form of the folder's chat template. The template's
 * language is read by a library that is loaded then.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a model without a template or without a head; INVALID_REQUEST with what the
 *   template says of a dialogue that it refuses; PROMPT_TOO_LONG
 */
export async function dialogueSequence(messages: readonly DialogueMessage[], model: LoadedModel): Promise<Sequence> {
  const { tokenizer, network, generation } = model;
  const template = generation?.chatTemplate;
  if (network.shape.vocabulary === 0 || template === undefined)
    throw new FailureError(
      'MISSING_CAPABILITY',
      'model: expected one that was made for dialogues, got one without a chat template',
    );
  const text = await rendered(template, messages, generation?.marks ?? {});
  const limit = network.shape.contextTokens;
  const { ids } = tokenizeWithin(tokenizer, text, { path: 'messages', limit });
  if (ids.length > limit) throw tooLong('messages', `${ids.length}`, limit);
  return { path: 'messages', ids: [...ids], embeddingOverrides: [], specials: 0, items: [], controls: [] };
}

async function rendered(
  template: string,
  messages: readonly DialogueMessage[],
  marks: Readonly<Record<string, string>>,
): Promise<string> {
  const { Template } = await import('@huggingface/jinja');
  try {
    return new Template(template).render({ ...marks, messages, add_generation_prompt: true });
  } catch (error) {
    // What a template raises is meant for people, such as "roles must alternate".
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('INVALID_REQUEST', `messages: the model's chat template refuses them: ${cause}`);
  }
}
