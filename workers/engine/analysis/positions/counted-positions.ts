import type { Model } from '../../codec/model-proto.ts';
import { constantNumbers } from '../constants.ts';
import type { DataFlow, Step } from '../data-flow.ts';

/**
 * Positions that a graph counts from the ids: a running sum over "is no padding", which picks rows of a table. RoBERTa,
 * XLM-R and MPNet do so.
 */
export interface CountedPositions {
  readonly paddingId: number;
  /** Positions that the table has left: it begins behind the padding's own row. undefined: no table was found. */
  readonly tokens: number | undefined;
}

/** What lies between the comparison and the sum, and between the sum and the table; none of it joins positions. */
const BETWEEN = new Set(['Not', 'Cast', 'Identity', 'Where', 'Mul', 'Add', 'Sub', 'Unsqueeze', 'Squeeze', 'Reshape']);

/**
 * How a running sum counts positions; undefined where it sums anything else, by which positions would mix. It counts where
 * nothing reaches it but a comparison of the ids with one number: attention controls change no id, so that an explanation
 * through attention loses nothing.
 *
 * @source transformers, `create_position_ids_from_input_ids`
 */
export function countedPositions(flow: DataFlow, sum: Step, model: Model): CountedPositions | undefined {
  const paddingId = comparedId(flow, sum, model);
  if (paddingId === undefined) return undefined;
  const rows = tableRows(flow, sum, model);
  return { paddingId, tokens: rows === undefined ? undefined : rows - paddingId - 1 };
}

/** The number that ids are compared with; undefined where something else flows into the sum. */
function comparedId(flow: DataFlow, sum: Step, model: Model): number | undefined {
  const open = flow.dependentInputs(sum);
  const found = new Set<number>();
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const step = flow.producer(tensor);
    if (step?.operator === 'Equal') {
      if (!isIds(flow, step)) return undefined;
      const [number, ...others] = step.inputs.flatMap((input) => constantNumbers(model, input) ?? []);
      if (number === undefined || others.length > 0) return undefined;
      found.add(number);
    } else if (step && BETWEEN.has(step.operator)) open.push(...flow.dependentInputs(step));
    else return undefined;
  }
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

/** Whether a step reads the ids themselves; they may be cast. */
function isIds(flow: DataFlow, step: Step): boolean {
  return flow.dependentInputs(step).every((input) => {
    const maker = flow.producer(input);
    if (maker === undefined) return input === flow.source;
    return ['Cast', 'Identity'].includes(maker.operator) && isIds(flow, maker);
  });
}

function tableRows(flow: DataFlow, sum: Step, model: Model): number | undefined {
  let tensors = [...sum.outputs];
  for (let depth = 0; depth < 8 && tensors.length > 0; depth++) {
    const readers = tensors.flatMap((tensor) => flow.consumers(tensor));
    const lookup = readers.find(({ operator }) => operator === 'Gather');
    if (lookup) return model.initialisers.get(lookup.inputs[0] ?? '')?.dimensions[0];
    tensors = readers.filter(({ operator }) => BETWEEN.has(operator)).flatMap(({ outputs }) => outputs);
  }
  return undefined;
}
