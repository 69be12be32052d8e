import type { Model } from '../codec/model-proto.ts';
import { tensorAttribute } from '../codec/node-attributes.ts';
import { numbersOf } from '../codec/tensor-proto.ts';

/** What constants may pass through on their way: casts change no whole number. */
const PASSED = new Set(['Cast', 'Identity']);

/** Values of a small constant, whether it is an initialiser or a node `Constant`; undefined for any other tensor. */
export function constantNumbers(model: Model, tensor: string): number[] | undefined {
  const initialiser = model.initialisers.get(tensor);
  if (initialiser) return numbersOf(initialiser);
  const maker = model.nodes.find(({ outputs }) => outputs.includes(tensor));
  if (maker === undefined) return undefined;
  if (PASSED.has(maker.operator)) return constantNumbers(model, maker.inputs[0] ?? '');
  const value = maker.operator === 'Constant' ? tensorAttribute(maker, 'value') : undefined;
  return value && numbersOf(value);
}
