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
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG, or MISSING_CAPABILITY for an encoder
 */
export async function targetSequence(
  prompt: JobPrompt,
  target: NamedText,
  model: LoadedModel,
): Promise<TargetSequence> {
  return withTarget(await predictingSequence(prompt, model), target, model);
}

/** A text with the name that the request gives it, for messages. */
interface NamedText {
  readonly text: string;
  readonly path: string;
}

/** The same behind a prompt that was read before: pictures are encoded once. @throws {FailureError} as `targetSequence` */
export function withTarget(sequence: Sequence, { text, path }: NamedText, model: LoadedModel): TargetSequence {
  const { contextTokens } = model.network.shape;
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
