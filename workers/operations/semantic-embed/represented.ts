import type { Representation } from '../../../src/contract/semantic-embed.ts';
import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { EmbeddingOverride } from '../../engine/network.ts';
import { meanWeights } from '../../kernels/pooling.ts';
import { sequenceControls } from '../prompt/controls.ts';
import { sequenceOf, type Frame } from '../prompt/sequence.ts';

/** A prompt as an embedding network reads it. */
export interface WeighedSequence {
  readonly ids: readonly number[];
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Factors on the attention paid to each position, `[ids]`. */
  readonly factors: Float64Array;
  /** Weight of each position when states are pooled, `[ids]`, as `meanWeights` gives them. */
  readonly weights: Float32Array;
  /** Positions of the special ids and the instruction in front of the prompt; 0 without an instruction. */
  readonly instructed: number;
  /** Tokens of the prompt itself. */
  readonly counted: number;
}

/** Names under which folders keep the text for a representation, in the order of preference. */
const PROMPT_NAMES: Readonly<Record<Representation, readonly string[]>> = {
  symmetric: ['symmetric', 'STS', 'text-matching'],
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

/**
 * What stands around a prompt: the model's special ids and, where its `config_sentence_transformers.json` has one, the text
 * that tells the representation, else the text that is the default there.
 *
 * @source sentence-transformers 5, `encode_query`, `encode_document` and `prompts`; contract facts §1.4: such tokens are
 *   not counted
 */
export function representationFrame({ tokenizer, sentenceConfig }: LoadedModel, representation: Representation): Frame {
  const instruction = promptText(sentenceConfig, representation);
  return { before: tokenizer.prefix, instruction, after: tokenizer.suffix };
}

function promptText(sentenceConfig: object | undefined, representation: Representation): string {
  const { prompts, default_prompt_name: fallback } = { ...Object(sentenceConfig) };
  if (typeof prompts !== 'object' || prompts === null) return '';
  const names = [...PROMPT_NAMES[representation], ...(typeof fallback === 'string' ? [fallback] : [])];
  const texts = names.map((name): unknown => (Object.hasOwn(prompts, name) ? Reflect.get(prompts, name) : undefined));
  return texts.find((text) => typeof text === 'string') ?? '';
}

/**
 * A prompt's ids in their frame, with what its controls do: they act on attention, and they weigh in the pooling as they
 * do in `/embed`.
 *
 * @throws {FailureError} as `sequenceOf`
 * @source contract facts §1.3
 */
export async function weighedSequence(
  prompt: JobPrompt,
  model: LoadedModel,
  frame: Frame,
  controls: ControlOptions,
): Promise<WeighedSequence> {
  const sequence = await sequenceOf(prompt, model, frame);
  const { ids, embeddingOverrides, specials } = sequence;
  // Without controls there is nothing to spread, and similarities need not be computed.
  const spreading = sequence.controls.length > 0 ? controls : { ...controls, contextualThreshold: null };
  const { factors } = await sequenceControls(sequence, spreading, model);
  const end = ids.length - frame.after.length;
  const weights = meanWeights(factors.subarray(specials, end), specials, frame.after.length);
  const instructed = specials > frame.before.length ? specials : 0;
  return { ids, embeddingOverrides, factors, weights, instructed, counted: end - specials };
}
