import { isFloating } from '../codec/element-type.ts';
import type { Model } from '../codec/model-proto.ts';
import type { ValueInfo } from '../codec/value-info.ts';
import { refuse } from '../refusal.ts';
import { findSites, type AttentionSite } from './attention-sites.ts';
import { countedPositions, type CountedPositions } from './positions/counted-positions.ts';
import { findCuts } from './cuts.ts';
import { followData, type DataFlow, type Step } from './data-flow.ts';
import { sortNodes } from './graph-traversal.ts';
import { findHiddenStates, type HiddenStates } from './hidden-states.ts';
import { kvCacheTensors, type KvCacheTensor } from './kv-cache.ts';
import { findLanguageHead, type LanguageHead } from './language-head.ts';
import { isSource, networkInputs, type NetworkInput } from './network-inputs.ts';
import { inferTypes, type ElementTypes } from './type-inference.ts';

/** What the rewrite needs to know about a network. */
export interface Analysis {
  readonly inputs: readonly NetworkInput[];
  readonly kvCache: readonly KvCacheTensor[];
  readonly types: ElementTypes;
  readonly flow: DataFlow;
  readonly sites: readonly AttentionSite[];
  readonly hiddenStates: HiddenStates;
  /** How positions are counted from the ids; undefined where they are not. */
  readonly counted: CountedPositions | undefined;
  /** Dynamic quantisation: numbers are rounded by the largest of the whole pass. */
  readonly roundsTogether: boolean;
  /** undefined when the result is not one row of logits per position. */
  readonly head: LanguageHead | undefined;
  /** The looked-up word embeddings, before positions are added; undefined when ids are not looked up directly. */
  readonly wordEmbeddings: string | undefined;
}

/**
 * Finds the network inside the graph, by structure.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE, with the operator or structure that is in the way
 */
export function analyse(model: Model): Analysis {
  refuseUnsupported(model);
  sortNodes(model);
  const inputs = networkInputs(model);
  const kvCache = kvCacheTensors(model);
  const types = inferTypes(model);
  const result = resultOf(model);
  const source = inputs.find(isSource)?.name ?? '';
  const flow = followData(model, source, result.name);
  const counting = countingSteps(flow, model);
  const sites = findSites(flow, new Set(counting.keys()));
  const hiddenStates = findHiddenStates(flow, findCuts(flow, types), sites);
  const head = result.name === 'logits' && result.dimensions?.length === 3 ? findLanguageHead(flow) : undefined;
  const [counted] = counting.values();
  const wordEmbeddings = findWordEmbeddings(flow, types);
  const found = { inputs, kvCache, types, flow, sites, hiddenStates, counted, head, wordEmbeddings };
  return { ...found, roundsTogether: roundsTogether(model) };
}

/** Whether numbers are rounded by the largest of the whole pass. */
export function roundsTogether({ nodes }: Model): boolean {
  return nodes.some(({ operator }) => operator.startsWith('DynamicQuantize'));
}

function countingSteps(flow: DataFlow, model: Model): ReadonlyMap<Step, CountedPositions> {
  const sums = flow.steps.filter(({ operator }) => operator === 'CumSum');
  const found = sums.map((step) => [step, countedPositions(flow, step, model)] as const);
  return new Map(found.flatMap(([step, counted]) => (counted ? [[step, counted] as const] : [])));
}

/** Versions of ONNX's operator set: the first with what the rewrite adds, and the last that the pinned ONNX Runtime opens. */
const OPERATOR_SETS = { oldest: 11, newest: 26 } as const;

/** @throws {FailureError} MODEL_UNAVAILABLE with the version of the operator set and those that are opened */
export function refuseUnsupported(model: Model): void {
  const version = model.operatorSets.get('') ?? 0;
  const { oldest, newest } = OPERATOR_SETS;
  if (version < oldest || version > newest)
    refuse(`ONNX operator set ${version} is too ${version < oldest ? 'old' : 'new'}, expected ${oldest} to ${newest}`);
}

/** Results that have a row for each position come first: pooling behind them is no part of the network's layers. */
const ROWWISE_RESULTS = ['logits', 'last_hidden_state', 'token_embeddings', 'start_logits'];

function resultOf(model: Model): ValueInfo {
  const named = ROWWISE_RESULTS.map((name) => model.outputs.find((output) => output.name === name));
  const others = model.outputs.filter((output) => !output.name.startsWith('present'));
  const result = [...named, ...others].find((output) => output !== undefined && isFloating(output.type));
  return result ?? refuse('the network has no floating-point result');
}

/** Ids may be reshaped or cast on their way to the table. */
function findWordEmbeddings(flow: DataFlow, types: ElementTypes): string | undefined {
  let tensors = [flow.source];
  for (let depth = 0; depth < 4; depth++) {
    const readers = tensors.flatMap((tensor) => flow.consumers(tensor));
    const lookup = readers.find((step) => /^Gather(BlockQuantized)?$/.test(step.operator));
    if (lookup) return isFloating(types.get(lookup.outputs[0] ?? '')) ? lookup.outputs[0] : undefined;
    tensors = readers
      .filter((step) => ['Reshape', 'Cast', 'Identity', 'Flatten'].includes(step.operator))
      .flatMap((step) => step.outputs);
  }
  return undefined;
}
