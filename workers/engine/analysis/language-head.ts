import { integerAttribute } from '../codec/node-attributes.ts';
import type { DataFlow, Step } from './data-flow.ts';

/** Where hidden states become logits. */
export interface LanguageHead {
  /** Hidden states of all positions. */
  readonly input: string;
  /**
   * The product with the vocabulary's weights and the name it reads its rows under, when rows may be picked before it;
   * undefined when they must be picked from the finished logits.
   */
  readonly product: { readonly step: Step; readonly reads: string } | undefined;
}

/** Elementwise operators with constants: bias, scaling and soft caps of logits. */
const ELEMENTWISE = new Set(['Add', 'Sub', 'Mul', 'Div', 'Tanh', 'Cast', 'Identity', 'Clip']);
/** Products that take any number of leading axes. */
const ROWWISE_PRODUCT = /^(MatMul|MatMulNBits|FusedMatMul)$/;
const SHAPING = new Set(['Unsqueeze', 'Squeeze', 'Reshape', 'Identity']);

/** Finds the head of a network whose result is `[batch, tokens, vocabulary]`. */
export function findLanguageHead(flow: DataFlow): LanguageHead {
  let step = flow.producer(flow.sink);
  while (step !== undefined && ELEMENTWISE.has(step.operator) && flow.dependentInputs(step).length === 1)
    step = flow.producer(flow.dependentInputs(step)[0] ?? '');
  const reads = step && flow.dependentInputs(step);
  const [rows] = reads ?? [];
  if (step === undefined || rows === undefined || reads?.length !== 1 || !ROWWISE_PRODUCT.test(step.operator))
    return { input: flow.sink, product: undefined };
  return { input: beforePruning(flow, rows), product: { step, reads: rows } };
}

/**
 * The tensor with all positions, where a builder keeps only the last one's row (`prune_lm_head`): the data of the
 * earliest gather along the positions.
 */
function beforePruning(flow: DataFlow, rows: string): string {
  let complete = rows;
  let tensor = rows;
  for (;;) {
    const step = flow.producer(tensor);
    const data = step?.inputs[0] ?? '';
    if (step === undefined || !flow.dependentInputs(step).includes(data)) return complete;
    if (step.operator === 'Gather' && integerAttribute(step.node, 'axis', 0) === 1) complete = data;
    else if (!SHAPING.has(step.operator)) return complete;
    tensor = data;
  }
}
