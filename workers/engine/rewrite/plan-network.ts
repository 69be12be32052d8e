import { FailureError } from '../../../src/contract/failure.ts';
import { refuseUnsupported, roundsTogether } from '../analysis/analysis.ts';
import { isKvCacheInput } from '../analysis/kv-cache.ts';
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

/** Outputs with what an encoder makes of a text. @source Optimum and sentence-transformers, their exports to ONNX */
export const STATE_OUTPUTS = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'] as const;

/**
 * How a network is run: rewritten, or unchanged where the rewrite is refused and the network points at answers or gives its last
 * states. Nobody explains with such a network, so it may mix positions in any way; whatever else it is asked for is refused.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the operator or structure in the way, for any other network
 */
export function planNetwork(file: Uint8Array, config: NetworkConfig): NetworkPlan {
  try {
    return rewriteNetwork(file, config);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const plan = keptPlan(file, error.message, config);
    if (!plan) throw error;
    return plan;
  }
}

/** @throws {FailureError} MODEL_UNAVAILABLE for inputs that nothing here can feed, or operators that ONNX Runtime cannot open */
function keptPlan(file: Uint8Array, keptBecause: string, config: NetworkConfig): NetworkPlan | undefined {
  const model = decodeModel(file);
  const has = (name: string) => model.outputs.some((output) => output.name === name);
  const isReader = SPAN_OUTPUTS.every(has);
  const outputs = isReader ? SPAN_OUTPUTS : STATE_OUTPUTS.filter(has);
  if (outputs.length === 0 || model.inputs.some(isKvCacheInput)) return undefined;
  refuseUnsupported(model);
  const runsAlone = roundsTogether(model);
  const exact = computesInHalf(model, { types: inferTypes(model) }) ? 'float16' : 'float32';
  return {
    keptBecause,
    skeleton: encodeSkeleton(model, ORIGINAL_FILE),
    onProcessor: [],
    inputs: networkInputs(model),
    kvCache: [],
    outputs: [...outputs],
    layers: isReader ? 0 : (config.layers ?? 1),
    hasHead: false,
    readsGivenStates: false,
    showsAttention: false,
    hasWordEmbeddings: false,
    sharesIds: false,
    runsAlone,
    tabledPositions: tabledPositions(model),
    tableRows: rowsOfTable(model),
    paddingId: undefined,
    ownLogits: undefined,
    precision: runsAlone ? 'int8' : exact,
  };
}
