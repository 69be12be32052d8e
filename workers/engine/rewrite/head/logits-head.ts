import type { Analysis } from '../../analysis/analysis.ts';
import type { LanguageHead } from '../../analysis/language-head.ts';
import { ElementType } from '../../codec/element-type.ts';
import type { Model } from '../../codec/model-proto.ts';
import { ROWS, TARGETS, LOGITS, LOG_PROBABILITIES } from '../../tensor-names.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { RunLengths } from '../run-lengths.ts';
import { redirect } from '../shared-kv-cache.ts';
import { tailOf } from './tail.ts';

/**
 * Replaces the output `logits` by `logits` at the last positions, `[batch, rows, vocabulary]`, and their
 * `log_probabilities` of chosen tokens, `[batch, rows, choices]`; both float32. How many comes in as `rows`, int64 `[1]`,
 * the tokens as `targets`, int64 `[rows, choices]`. The product with the vocabulary is computed for those positions alone, and where
 * keys and values are retained so is all that comes behind the last layer's.
 */
export function rewriteHead(
  model: Model,
  builder: GraphBuilder,
  { flow, inputs, kvCache, hiddenStates, roundsTogether }: Analysis,
  head: LanguageHead,
  run: RunLengths,
): void {
  const rows = builder.addInput(ROWS, ElementType.int64, [1]);
  const targets = builder.addInput(TARGETS, ElementType.int64, ['rows', 'choices']);
  model.outputs = model.outputs.filter((output) => output.name !== flow.sink);
  const entering = hiddenStates.at(-2);
  const hasTail = kvCache.length > 0 && entering !== undefined && !roundsTogether;
  const { tensor, run: own } = hasTail
    ? tailOf(model, builder, head.input, { entering, inputs, kvCache, run, rows })
    : { tensor: lastRows(builder, head.input, run, rows), run };
  const picked = builder.reshape(tensor, builder.concat(0, own.batch, rows, builder.integers(-1)));
  if (head.product) redirect(head.product.step.node.inputs, head.product.reads, picked);
  const narrow = head.product ? flow.sink : picked;
  const logits = builder.node('Cast', [narrow], {
    attributes: { to: { integer: ElementType.float32 } },
    output: LOGITS,
  });
  addLogProbabilities(builder, logits, targets, own);
  builder.addOutput(logits, ElementType.float32, ['logits_batch', 'logits_rows', 'vocabulary']);
  builder.addOutput(LOG_PROBABILITIES, ElementType.float32, ['logits_batch', 'logits_rows', 'choices']);
}

function lastRows(builder: GraphBuilder, tensor: string, run: RunLengths, rows: string): string {
  const block = builder.reshape(tensor, builder.concat(0, run.batch, run.tokens, builder.integers(-1)));
  const first = builder.node('Sub', [run.tokens, rows]);
  return builder.node('Slice', [block, first, run.tokens, builder.integers(1)]);
}

/** Only the wanted entries leave the graph: a vocabulary's logits for every batch member would dwarf everything else. */
function addLogProbabilities(builder: GraphBuilder, logits: string, targets: string, run: RunLengths): void {
  const shape = builder.concat(0, run.batch, builder.node('Shape', [targets]));
  const index = builder.node('Expand', [targets, shape]);
  const logSoftmax = builder.node('LogSoftmax', [logits], { attributes: { axis: { integer: -1 } } });
  const axis = { integer: 2 };
  builder.node('GatherElements', [logSoftmax, index], { attributes: { axis }, output: LOG_PROBABILITIES });
}
