import type { Analysis } from '../../analysis/analysis.ts';
import { ElementType } from '../../codec/element-type.ts';
import { GIVEN_STATES, READS_GIVEN } from '../../tensor-names.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import { redirect } from '../shared-kv-cache.ts';

/**
 * Lets the final norm and the head read hidden states from outside in place of the last layer's, float32
 * `[states, width]`, where a bool says so. Given those of an earlier layer, the head says what the network would predict
 * if it ended there (logit lens).
 *
 * @returns whether it can: where the last sum and the final norm are one operator, no tensor stands between them; a head
 *   without a norm before it reads the last layer itself
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export function addGivenStates(builder: GraphBuilder, { flow, hiddenStates, types, head }: Analysis): boolean {
  const last = hiddenStates.at(-1)?.tensor ?? '';
  const type = types.get(last);
  const readers = flow.consumers(last).map(({ node }) => node);
  const isBetween = readers.length > 0 && readers.every(({ inputs }) => inputs.includes(last));
  const isHeadInput = last === head?.input || last === head?.product?.reads; // the head takes the last rows of that tensor by its name
  if (!isBetween || isHeadInput || (type !== ElementType.float32 && type !== ElementType.float16)) return false;
  const given = builder.addInput(GIVEN_STATES, ElementType.float32, ['states', 'states_width']);
  const isGiven = builder.addInput(READS_GIVEN, ElementType.bool, []);
  const state = builder.choose(
    isGiven,
    (body) => body.reshape(body.cast(given, ElementType.float32, type), body.node('Shape', [last])),
    (body) => body.node('Identity', [last]),
  );
  for (const { inputs } of readers) redirect(inputs, last, state);
  return true;
}
