import { FailureError } from '../../../src/contract/failure.ts';
import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { TokenizedText } from '../../engine/loading/tokenizer.ts';
import { predictingSequence, type Sequence } from './sequence.ts';
import { tokenizeWithin, tooLong } from './tokenize.ts';

/** A prompt and, behind it, the tokens that the model is to predict. */
export interface TargetSequence extends Sequence {
  readonly target: TokenizedText;
  /** Both as the network is fed them: without the target's last token, and with the target as the item behind the prompt's. */
  readonly fed: Sequence;
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
export function withTarget(prompt: Sequence, { text, path }: NamedText, model: LoadedModel): TargetSequence {
  const limit = model.network.shape.contextTokens;
  const target = tokenizeWithin(model.tokenizer, text, { path, limit });
  if (target.ids.length === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty string`);
  const item = { type: 'token_ids', first: prompt.ids.length, count: target.ids.length } as const;
  const fed = { ...prompt, ids: [...prompt.ids, ...target.ids.slice(0, -1)], items: [...prompt.items, item] };
  const { length } = fed.ids;
  if (length > limit) throw tooLong(`prompt and ${path}`, `${length + 1 - fed.specials}`, limit + 1 - fed.specials);
  return { ...prompt, target, fed };
}
