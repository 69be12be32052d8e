import { FailureError } from '../../../src/contract/failure.ts';
import { networkInputs } from '../analysis/network-inputs.ts';
import { inferTypes } from '../analysis/type-inference.ts';
import { rowsOfTable, tabledPositions } from '../analysis/weight-shapes.ts';
import { decodeModel, encodeSkeleton } from '../codec/model-proto.ts';
import type { NetworkConfig } from '../analysis/network-config.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import type { NetworkPlan } from './network-plan.ts';
import { computesInHalf, rewriteNetwork } from './rewrite.ts';

/** Outputs of a question-answering head, `[batch, tokens]` each. @source transformers, AutoModelForQuestionAnswering */
export const SPAN_OUTPUTS = ['start_logits', 'end_logits'] as const;

/**
 * How a network is run: rewritten, or unchanged where the rewrite is refused and the network is an extractive reader.
 * Nobody explains or embeds with such a network, so it may mix positions in any way; whatever else it is asked for is
 * refused.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the operator or structure in the way, for any other network
 */
export function planNetwork(file: Uint8Array, config: NetworkConfig): NetworkPlan {
  try {
    return rewriteNetwork(file, config);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const plan = readerPlan(file, error.message);
    if (!plan) throw error;
    return plan;
  }
}

function readerPlan(file: Uint8Array, keptBecause: string): NetworkPlan | undefined {
  const model = decodeModel(file);
  const outputs = new Set(model.outputs.map(({ name }) => name));
  if (!SPAN_OUTPUTS.every((name) => outputs.has(name))) return undefined;
  return {
    keptBecause,
    skeleton: encodeSkeleton(model, ORIGINAL_FILE),
    inputs: networkInputs(model),
    kvCache: [],
    outputs: [...SPAN_OUTPUTS],
    layers: 0,
    hasHead: false,
    readsGivenStates: false,
    showsAttention: false,
    hasWordEmbeddings: false,
    sharesIds: false,
    runsAlone: false,
    tabledPositions: tabledPositions(model),
    tableRows: rowsOfTable(model),
    paddingId: undefined,
    precision: computesInHalf(model, { types: inferTypes(model) }) ? 'float16' : 'float32',
  };
}
