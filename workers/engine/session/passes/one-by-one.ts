import { joined } from '../../../kernels/float-arrays.ts';
import { type NamedOutput, type NetworkAnswer, type NetworkRun, tokensOf } from '../../network.ts';

/**
 * Runs the sequences of a batch each in a pass of its own, and joins what they give: for networks whose numbers depend on
 * everything in the pass.
 *
 * @returns a run; @throws {RangeError} for a KV cache or padding, which such a network does not take
 */
export function oneByOne(run: (one: NetworkRun) => Promise<NetworkAnswer>) {
  return async (asked: NetworkRun): Promise<NetworkAnswer> => {
    if (asked.cached || asked.keepKvCache || asked.lengths || asked.states)
      throw new RangeError('a network whose sequences run alone takes no KV cache, padding or states');
    const answers: NetworkAnswer[] = [];
    for (let index = 0; index < asked.batch; index++) answers.push(await run(sequenceOf(asked, index)));
    return joinedAnswers(answers);
  };
}

/** One sequence of a batch, as a batch of one. */
function sequenceOf(asked: NetworkRun, index: number): NetworkRun {
  const { ids, segments, tokenWeights, perturbation, pooling } = asked;
  const tokens = tokensOf(asked);
  const own = <Values extends { slice(begin: number, end: number): Values }>(values: Values, length: number): Values =>
    values.slice(index * length, (index + 1) * length);
  const perRun = (values: Int32Array) => (asked.sameIds ? values : own(values, tokens));
  return {
    ...asked,
    batch: 1,
    ids: perRun(ids),
    ...(segments && { segments: perRun(segments) }),
    ...(tokenWeights && { tokenWeights: own(tokenWeights, tokens) }),
    ...(perturbation && { perturbation: { ...perturbation, factors: own(perturbation.factors, tokens) } }),
    ...(pooling?.perSequence && { pooling: { ...pooling, weights: own(pooling.weights, pooling.pools * tokens) } }),
  };
}

const BLOCKS = ['pooled', 'maximum', 'absoluteMaximum', 'logProbabilities', 'logits'] as const;

function joinedAnswers(answers: readonly NetworkAnswer[]): NetworkAnswer {
  const [first] = answers;
  const blocks = BLOCKS.filter((name) => first?.[name] !== undefined).map((name) => [
    name,
    joined(answers.flatMap((answer) => answer[name] ?? [])),
  ]);
  const outputs = first?.outputs && Object.keys(first.outputs).map((name) => [name, joinedOutput(answers, name)]);
  return { ...Object.fromEntries(blocks), ...(outputs && { outputs: Object.fromEntries(outputs) }) };
}

function joinedOutput(answers: readonly NetworkAnswer[], name: string): NamedOutput {
  const parts = answers.flatMap(({ outputs }) => outputs?.[name] ?? []);
  const [, ...rest] = parts[0]?.dimensions ?? [];
  return { dimensions: [parts.length, ...rest], values: joined(parts.map(({ values }) => values)) };
}
