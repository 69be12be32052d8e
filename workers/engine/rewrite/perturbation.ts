import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED, PERTURBATION, TENSORS } from '../tensor-names.ts';
import { createTensors, type GraphBuilder, rowsFrom, type RunLengths } from './graph-builder.ts';

/** Perturbed scores as a softmax reads them, `[batch, heads, tokens, total]`. */
export interface PerturbedScores {
  readonly scores: string;
  readonly type: number;
}

/** What is added to scores, of their type, each broadcastable to `[batch, heads, tokens, total]`. */
export interface ScoreMasks {
  /** Of the file: relative positions, or a mask. */
  readonly own?: string | undefined;
  /** 0, or very negative in columns that a row does not see. */
  readonly hiding: readonly (string | false | undefined)[];
  /** A score that is not of a column takes part in the softmax, so that a constant added to a row would not cancel. */
  readonly hasSink?: boolean;
}

interface ScoreRows {
  /** Of the scores, above 0, where they are not scaled yet; such masks only hide, and there is no sink. */
  readonly scale?: number;
  /** Where the rows of the scores begin, as `rowsFrom` takes it. Left out: they are all of the run's. */
  readonly first?: string | undefined;
}

/** Scores below this are masked: exporters mask with −10000, −65504, −3.4e38 or −Infinity, real scores stay far above. */
const MASKED_BELOW = -5000;

/**
 * Adds the inputs `bias` and `factor` (float32, `[1|batch, 1, 1|tokens, 1|total]`), `multiplicative` and `hides` (bool
 * scalars), and returns what puts them between scores and softmax:
 *
 * - additive:       `s + bias`
 * - multiplicative: `s + (max(s, m) − m) · (factor − 1)` with m the minimum of the row's unmasked scores. That is
 *   `(s − m) · factor` plus the row constant m, which the softmax cancels, leaves masked scores as they are and an
 *   untouched column exactly as it was. With `hides`, s + bias replaces s: rows that see only some columns.
 *
 * @param showsAttention  runs can return attention weights, and each earlier layer computes them beside its scores
 * @source AtMan, arXiv:2301.08110 (Eq. 4); contract facts §2.1
 */
export function addPerturbation(builder: GraphBuilder, run: RunLengths, showsAttention = false) {
  const { float32, bool } = ElementType;
  const once = createTensors();
  const [bias = '', factor = ''] = (['bias', 'factor'] as const).map((name) =>
    builder.addInput(PERTURBATION[name], float32, [`${name}_batch`, 1, `${name}_tokens`, `${name}_total`]),
  );
  builder.addInput(PERTURBATION.multiplicative, bool, []);
  const hides = builder.addInput(PERTURBATION.hides, bool, []);
  const choose = showsAttention ? chooseFormAndWeights(builder, attentionInput(builder)) : chooseForm;
  const biasOf = (type: number) => once(`bias/${type}`, () => builder.cast(bias, float32, type));
  const gainOf = (type: number) =>
    once(`gain/${type}`, () => builder.cast(builder.node('Sub', [factor, builder.scalar(1, float32)]), float32, type));
  const blockShape = () =>
    once('block', () => builder.concat(0, run.batch, builder.integers(-1), run.tokens, run.total));
  const { sumOf, hidingFactorOf, ...shared } = createBlocks(builder, run, biasOf);
  const perturb = (
    into: GraphBuilder,
    scores: string,
    type: number,
    rank: number | undefined,
    first?: string,
  ): string => {
    const block = rank === 4 ? scores : into.reshape(scores, blockShape());
    const [typedBias = '', gain = ''] = [biasOf(type), gainOf(type)].map((all) => rowsFrom(into, all, first));
    const add = (body: GraphBuilder) => body.node('Add', [block, typedBias]);
    const multiply = (body: GraphBuilder) =>
      body.choose(
        hides,
        (inner) => multiplied(inner, add(inner), gain, type),
        (inner) => multiplied(inner, block, gain, type),
      );
    const result = choose(into, { scores: block, type, multiply, add });
    return rank === 4 ? result : into.reshape(result, into.node('Shape', [scores]));
  };
  return {
    ...shared,
    /**
     * Perturbed scores, of the same shape, where masks were added to them before; a rank of 4 is `[batch, heads, tokens, total]`.
     *
     * @param into  of the graph or of the body that has the scores
     */
    perturb,
    /**
     * The same with masks that are added to scores `[batch, heads, tokens, total]`, in fewer operators where all they do is to hide.
     */
    perturbMasked: (
      into: GraphBuilder,
      scores: string,
      type: number,
      masks: ScoreMasks,
      { scale = 1, first }: ScoreRows,
    ): string => {
      if (masks.own || masks.hasSink) return perturb(into, masked(into, scores, masks, first), type, 4, first);
      const sum = sumOf(type, masks);
      const factor = hidingFactorOf(type, scale, sum);
      return choose(into, hiddenForms(scores, { type, scale, first, sum, factor }));
    },
  };
}

/** Perturbed scores in both forms: with factors, and with a bias that is added. */
interface Forms {
  readonly scores: string;
  readonly type: number;
  readonly multiply: (body: GraphBuilder) => string;
  readonly add: (body: GraphBuilder) => string;
}

const chooseForm = (into: GraphBuilder, { multiply, add }: Forms) =>
  into.choose(PERTURBATION.multiplicative, multiply, add);

/** Name of the attention weights that belong to perturbed scores. */
const attendedOf = (perturbed: string) => `${ADDED}attended/${perturbed}`;

/**
 * The same choice together with that of attention weights, so that a run that needs neither passes one `If` in each layer: on
 * WebAssembly an `If` takes as long as twenty small operators.
 */
function chooseFormAndWeights(builder: GraphBuilder, needsAttention: string) {
  const isSpecial = builder.node('Or', [PERTURBATION.multiplicative, needsAttention]);
  return (into: GraphBuilder, forms: Forms): string => {
    const perturbed = `${ADDED}perturbed/${forms.scores}`;
    const special = (body: GraphBuilder) => {
      const scores = chooseForm(body, forms);
      return [scores, attended(body, needsAttention, { scores, type: forms.type })];
    };
    const plain = (body: GraphBuilder) => [forms.add(body), noWeights(body)];
    into.chooseAll(isSpecial, special, plain, [perturbed, attendedOf(perturbed)]);
    return perturbed;
  };
}

/** The attention weights of a layer, the greatest of any head, `[batch, 1, tokens, total]`, float32; empty for a run that does not ask for them. */
function attended(builder: GraphBuilder, needsAttention: string, scores: PerturbedScores): string {
  return builder.choose(needsAttention, (body) => greatestOf(body, scores), noWeights);
}

/** Attention weights for a run that does not ask for them: empty. */
function noWeights(builder: GraphBuilder): string {
  const nothing = makeTensor(`${ADDED}nothing/attended`, ElementType.float32, [0, 0, 0, 0], []);
  builder.model.initialisers.set(nothing.name, nothing);
  return builder.node('Identity', [nothing.name]);
}

/** Softmax of scores, the greatest of any head: `[batch, 1, tokens, total]`, float32. */
function greatestOf(builder: GraphBuilder, { scores, type }: PerturbedScores): string {
  const weights = builder.node('Softmax', [scores], { axis: -1 });
  return builder.cast(builder.reduce('ReduceMax', weights, 1), type, ElementType.float32);
}

/** What all layers share, each added to the graph once: sums of bias and masks, and factors. */
function createBlocks(builder: GraphBuilder, run: RunLengths, biasOf: (type: number) => string) {
  const once = createTensors();
  const blocks = new Set<string>();
  const block = (key: string, make: () => string) => {
    const tensor = once(key, make);
    blocks.add(tensor);
    return tensor;
  };
  const sumOf = (type: number, masks: ScoreMasks) =>
    block(`${type}/${[...masks.hiding, masks.own].join('+')}`, () => masked(builder, biasOf(type), masks));
  return {
    sumOf,
    /** The factor of a score times its scale, 0 or more, and −1 where a sum hides the score. */
    hidingFactorOf: (type: number, scale: number, sum: string) =>
      block(`factor/${scale}/${sum}`, () =>
        onlyWhere(builder, PERTURBATION.multiplicative, type, (body) => {
          const factor = body.cast(PERTURBATION.factor, ElementType.float32, type);
          const scaled = body.node('Mul', [factor, body.scalar(scale, type)]);
          return body.node('Max', [body.node('Add', [scaled, sum]), body.scalar(-1, type)]);
        }),
      ),
    /** `[1|batch, 1|heads, 1|tokens, 1|total]` each. */
    blocks: blocks as ReadonlySet<string>,
    /** Masks and bias of a run for an operator that does not broadcast them, `[1|batch, 1|heads, tokens, total]`. */
    wholeBias: (type: number, masks: ScoreMasks): string => {
      const sum = sumOf(type, masks);
      const shape = () => once('whole', () => builder.concat(0, builder.integers(1, 1), run.tokens, run.total));
      return once(`whole/${sum}`, () =>
        onlyWhere(builder, TENSORS.fusedAttention, type, (body) => body.node('Expand', [sum, shape()])),
      );
    },
  };
}

function masked(builder: GraphBuilder, scores: string, { own, hiding }: ScoreMasks, first?: string): string {
  return [...hiding, own].reduce<string>(
    (sum, mask) => (mask ? builder.node('Add', [sum, rowsFrom(builder, mask, first)]) : sum),
    scores,
  );
}

/** A tensor that is read where a condition holds; elsewhere its place is taken by one number, `[1, 1, 1, 1]`. */
function onlyWhere(builder: GraphBuilder, condition: string, type: number, make: (body: GraphBuilder) => string) {
  return builder.choose(condition, make, (body) => body.reshape(body.scalar(0, type), body.integers(1, 1, 1, 1)));
}

interface HidingBlocks extends ScoreRows {
  readonly type: number;
  readonly sum: string;
  readonly factor: string;
}

/** Both forms of perturbed scores, where masks only hide. */
function hiddenForms(scores: string, { type, scale = 1, first, sum, factor }: HidingBlocks): Forms {
  return {
    scores,
    type,
    multiply: (body) => multipliedAndHidden(body, scores, rowsFrom(body, factor, first), rowsFrom(body, sum, first)),
    add: (body) => {
      const scaled = scale === 1 ? scores : body.node('Mul', [scores, body.scalar(scale, type)]);
      return body.node('Add', [scaled, rowsFrom(body, sum, first)]);
    },
  };
}

/** `(s − m) · factor`, far below the others where a row does not see the column. A constant of the row is left out. */
function multipliedAndHidden(body: GraphBuilder, scores: string, factor: string, hiding: string): string {
  const seenLowest = body.node('Sub', [scores, hiding]); // what is hidden lies far above
  const minimum = body.reduce('ReduceMin', seenLowest, -1);
  return body.node('Mul', [body.node('Sub', [seenLowest, minimum]), factor]);
}

function multiplied(body: GraphBuilder, scores: string, gain: string, type: number): string {
  const masked = body.node('Less', [scores, body.scalar(MASKED_BELOW, type)]);
  const highest = body.scalar(type === ElementType.float16 ? 6e4 : 1e30, type);
  const minimum = body.reduce('ReduceMin', body.node('Where', [masked, highest, scores]), -1);
  const above = body.node('Sub', [body.node('Max', [scores, minimum]), minimum]);
  return body.node('Add', [scores, body.node('Mul', [above, gain])]);
}

/**
 * Adds the outputs `attended` and `attended_last`, after the head was rewritten. The weights of each earlier layer are
 * reduced there, under a condition: stored to the end they would take heads × layers × tokens² numbers. Of the last layer
 * only the rows that predict are computed.
 *
 * @param sites      scores of each layer, in order
 * @param endsApart  the last ones are of the last rows, or of more
 * @returns          false, with no output added, where the last layer's rows are not computed apart from the others
 */
export function addAttended(builder: GraphBuilder, sites: readonly PerturbedScores[], endsApart: boolean): boolean {
  const { model } = builder;
  const last = sites.at(-1);
  const scores = endsApart ? last?.scores : `${ADDED}tail/${last?.scores}`;
  if (!last || !scores || sites.length < 2 || !model.nodes.some(({ outputs }) => outputs.includes(scores)))
    return false;
  const condition = attentionInput(builder);
  const made = new Set(model.nodes.flatMap(({ outputs }) => outputs));
  const layers = sites.slice(0, -1).map((site) => {
    const weights = attendedOf(site.scores);
    return made.has(weights) ? weights : attended(builder, condition, site);
  });
  builder.node('Concat', layers, { axis: 1 }, TENSORS.attended);
  builder.addOutput(TENSORS.attended, ElementType.float32, [
    'attended_batch',
    'attended_layers',
    'attended_tokens',
    null,
  ]);
  builder.chooseAll(
    condition,
    (body) => {
      const first = endsApart ? body.node('Neg', [TENSORS.rows]) : undefined;
      return [greatestOf(body, { ...last, scores: rowsFrom(body, scores, first) })];
    },
    (body) => [noWeights(body)],
    [TENSORS.attendedLast],
  );
  builder.addOutput(TENSORS.attendedLast, ElementType.float32, ['logits_batch', 1, 'logits_rows', null]);
  return true;
}

/** The input by which a run asks for attention weights, added where it is not there yet. */
function attentionInput(builder: GraphBuilder): string {
  const name = TENSORS.needsAttention;
  const isThere = builder.model.inputs.some((input) => input.name === name);
  return isThere ? name : builder.addInput(name, ElementType.bool, []);
}
