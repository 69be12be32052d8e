import { isFloating } from '../codec/element-type.ts';
import type { DataFlow, Step } from './data-flow.ts';
import type { ElementTypes } from './type-inference.ts';

/** A tensor through which everything flows: nothing computed before it is read after it, except the tensor itself. */
export interface Cut {
  readonly tensor: string;
  readonly step: Step;
  /** A residual sum: two branches meet, with weights in one of them. */
  readonly merges: boolean;
}

/** Operators that multiply by weights. */
const LINEAR = /MatMul|Gemm|Conv|MoE|Einsum/;

/** All cuts between the ids and the result, in order; integer tensors (the ids themselves, reshaped) are left out. */
export function findCuts(flow: DataFlow, types: ElementTypes): Cut[] {
  const uses = countUses(flow);
  const live = new Map([[flow.source, uses.get(flow.source) ?? 0]]);
  const cuts: Cut[] = [];
  let hasWeights = false;
  for (const step of flow.steps) {
    hasWeights ||= LINEAR.test(step.operator);
    advance(live, flow, step, uses);
    const [tensor] = live.size === 1 ? live.keys() : [];
    if (tensor === undefined || !step.outputs.includes(tensor) || !mayBeHidden(types.get(tensor))) continue;
    const merges = step.operator === 'Add' && flow.dependentInputs(step).length > 1 && hasWeights;
    cuts.push({ tensor, step, merges });
    hasWeights = false;
  }
  return cuts;
}

function mayBeHidden(type: number | undefined): boolean {
  return type === undefined || isFloating(type);
}

function countUses(flow: DataFlow): Map<string, number> {
  const uses = new Map<string, number>([[flow.sink, 1]]);
  for (const step of flow.steps)
    for (const input of flow.dependentInputs(step)) uses.set(input, (uses.get(input) ?? 0) + 1);
  return uses;
}

function advance(live: Map<string, number>, flow: DataFlow, step: Step, uses: ReadonlyMap<string, number>): void {
  for (const input of flow.dependentInputs(step)) {
    const left = (live.get(input) ?? 0) - 1;
    if (left > 0) live.set(input, left);
    else live.delete(input);
  }
  for (const output of step.outputs) {
    const count = uses.get(output) ?? 0;
    if (count > 0) live.set(output, count);
  }
}
