import { FailureError } from '../../../src/contract/failure.ts';
import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { TokenizedText } from '../../engine/loading/tokenizer.ts';
import { predictingSequence, type Sequence, type SequenceItem } from './sequence.ts';
import { tokenizeWithin, tooLong } from './tokenize.ts';

/** A prompt and, behind it, the tokens that the model is to predict. */
export interface TargetSequence extends Sequence {
  readonly target: TokenizedText;
  /** Where the target's tokens begin. */
  readonly targetItem: SequenceItem;
}

/**
 * Tokenises prompt and target; the last target token is predicted, never fed.
 *
 * @param target  with the name that the request gives it, for messages
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG, or MISSING_CAPABILITY for an encoder
 */
export async function targetSequence(
  prompt: JobPrompt,
  { text, path }: { readonly text: string; readonly path: string },
  model: LoadedModel,
): Promise<TargetSequence> {
  const { contextTokens } = model.network.shape;
  const sequence = await predictingSequence(prompt, model);
  const target = tokenizeWithin(model.tokenizer, text, { path, limit: contextTokens });
  if (target.ids.length === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty string`);
  const total = sequence.ids.length + target.ids.length - 1;
  if (total > contextTokens)
    throw tooLong(`prompt and ${path}`, `${total + 1 - sequence.specials}`, contextTokens + 1 - sequence.specials);
  const targetItem = { type: 'token_ids', first: sequence.ids.length, count: target.ids.length } as const;
  return { ...sequence, target, targetItem };
}

/** What the network is fed: the prompt's ids and the target's but the last. */
export function fedIds({ ids, target }: TargetSequence): readonly number[] {
  return [...ids, ...target.ids.slice(0, -1)];
}
