import type { Analysis } from './analysis.ts';
import { ElementType } from './element-type.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { LanguageHead } from './language-head.ts';
import type { Model } from './model-proto.ts';
import type { RunLengths } from './run-lengths.ts';
import { redirect } from './shared-prefix.ts';

/** Name of the added input with the chosen positions, without the common prefix. */
export const ROWS = 'rows';
/** Expected tokens. */
export const TARGETS = 'targets';
/** Name of the added output, as the next are. */
export const LOGITS = 'lightwell/logits';
/** Natural logarithms of the expected tokens' probabilities. */
export const LOG_PROBABILITIES = 'lightwell/log_probabilities';

/**
 * Replaces the output `logits` by `logits` at chosen positions, `[batch, rows, vocabulary]`, and their
 * `log_probabilities` of chosen tokens, `[batch, rows]`; both float32. Positions come in as `rows`, int64 `[rows]`,
 * tokens as `targets`, int64 `[rows]`. The product with the vocabulary is computed for those positions alone.
 */
export function rewriteHead(
  model: Model,
  builder: GraphBuilder,
  { flow }: Analysis,
  head: LanguageHead,
  run: RunLengths,
): void {
  const rows = builder.addInput(ROWS, ElementType.int64, ['rows']);
  const targets = builder.addInput(TARGETS, ElementType.int64, ['rows']);
  model.outputs = model.outputs.filter((output) => output.name !== flow.sink);
  const block = builder.reshape(head.input, builder.concat(0, run.batch, run.tokens, builder.integers(-1)));
  const picked = builder.node('Gather', [block, rows], { attributes: { axis: { integer: 1 } } });
  if (head.product) redirect(head.product.step.node.inputs, head.product.reads, picked);
  const narrow = head.product ? flow.sink : picked;
  const logits = builder.node('Cast', [narrow], {
    attributes: { to: { integer: ElementType.float32 } },
    output: LOGITS,
  });
  addLogProbabilities(builder, logits, targets, run);
  builder.addOutput(logits, ElementType.float32, ['logits_batch', 'logits_rows', 'vocabulary']);
  builder.addOutput(LOG_PROBABILITIES, ElementType.float32, ['logits_batch', 'logits_rows']);
}

/** Only the wanted entries leave the graph: a vocabulary's logits for every batch member would dwarf everything else. */
function addLogProbabilities(builder: GraphBuilder, logits: string, targets: string, run: RunLengths): void {
  const rowCount = builder.node('Shape', [targets]);
  const shape = builder.concat(0, run.batch, rowCount, builder.integers(1));
  const index = builder.node('Expand', [builder.reshape(targets, builder.integers(1, -1, 1)), shape]);
  const logSoftmax = builder.node('LogSoftmax', [logits], { attributes: { axis: { integer: -1 } } });
  const found = builder.node('GatherElements', [logSoftmax, index], { attributes: { axis: { integer: 2 } } });
  builder.reshape(found, builder.concat(0, run.batch, rowCount), LOG_PROBABILITIES);
}
