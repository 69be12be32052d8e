import { FailureError } from '../../../src/contract/failure.ts';
import type { CompletedToken, CompleteJob } from '../../../src/protocol/likelihood/complete-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { likeliestTokens, logProbabilitiesOf } from '../../kernels/tokens/next-token.ts';
import type { JobContext } from '../context.ts';
import type { Sequence } from '../prompt/sequence.ts';
import { targetLogits } from '../prompt/target-logits.ts';

/** A prompt as it stands at the beginning of its completion. */
export interface Echo {
  readonly text: string;
  readonly tokens: readonly CompletedToken[];
}

/**
 * The prompt as text and tokens, each with its log-probability where that is asked for. Nothing predicts the very first id.
 *
 * @throws {FailureError} INVALID_REQUEST for a prompt with a picture, which has no text
 */
export async function echoed(
  sequence: Sequence,
  job: CompleteJob,
  model: LoadedModel,
  context: JobContext,
): Promise<Echo> {
  const { path, ids, specials, items, embeddingOverrides } = sequence;
  const picture = embeddingOverrides.length > 0 ? items.findIndex(({ type }) => type === 'image') : -1;
  if (picture >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `echo: expected a prompt of text and token ids, got an image at ${path}[${picture}]`,
    );
  const { tokenizer } = model;
  const own = ids.slice(specials);
  const text = items
    .map((item) =>
      item.type === 'text' ? item.tokenized.text : tokenizer.read(ids.slice(item.first, item.first + item.count)).text,
    )
    .join('');
  const plain = own.map((id) => ({ token: tokenizer.show(id), logProbability: NaN, alternatives: [] }));
  if (job.logProbabilities === null) return { text, tokens: plain };
  const rated = await ratings(sequence, job.logProbabilities, { job, model, context });
  return { text, tokens: [...(specials === 0 ? plain.slice(0, 1) : []), ...rated] };
}

/** Of every own id that stands behind another. */
async function ratings(
  sequence: Sequence,
  alternatives: number,
  { job, model, context }: { job: CompleteJob; model: LoadedModel; context: JobContext },
): Promise<CompletedToken[]> {
  const { tokenizer } = model;
  const first = Math.max(1, sequence.specials);
  const targets = sequence.ids.slice(first);
  if (targets.length === 0) return [];
  const target = { text: '', ids: targets, spans: [] };
  const tokens: CompletedToken[] = [];
  const fed = { ...sequence, ids: sequence.ids.slice(0, -1) };
  const behind = { ...sequence, ids: sequence.ids.slice(0, first), target, fed };
  for await (const part of targetLogits(behind, job.controls, model)) {
    for (const { target: id, logits } of part) {
      const logProbabilityOf = logProbabilitiesOf(logits);
      tokens.push({
        token: tokenizer.show(id),
        logProbability: logProbabilityOf(id),
        alternatives: likeliestTokens(logits, alternatives, logProbabilityOf).map((each) => ({
          token: tokenizer.show(each.id),
          logProbability: each.logProbability,
        })),
      });
    }
    await context.checkpoint();
  }
  return tokens;
}
