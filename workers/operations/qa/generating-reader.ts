import type { LoadedModel } from '../../engine/engine.ts';
import type { EmbeddingOverride, Network } from '../../engine/network.ts';
import { score } from '../../kernels/answer-span.ts';
import { denseFactors } from '../../kernels/attention-control.ts';
import { likeliest, type LikelyToken } from '../../kernels/tokens/next-token.ts';
import { type Beginning, endMarks, growingSequence } from '../complete/continuation.ts';
import { questionOf } from './question.ts';
import type { Found, Passage, Reader } from './reader.ts';

/** Tokens of an answer at most: the description of a picture with several things takes some seventy. */
const LONGEST_ANSWER = 80;

/**
 * Writes the answer: a language model continues `passage, Question: …, Answer:`, greedily, up to the end of the line.
 * Behind a picture the question begins at once, elsewhere on a line of its own. The score is the geometric mean of its tokens' probabilities: how sure the model is of the words, given that it answers.
 *
 * @throws {FailureError} PROMPT_TOO_LONG, INVALID_REQUEST for the query
 * @source the form of training/, `text/corpus.py`, `reading_documents`, and `vision/scenes/texts.py`
 */
export function generatingReader(query: string, model: LoadedModel): Reader {
  const { tokenizer } = model;
  const frame = tokenizer.prefix.length + LONGEST_ANSWER;
  const asked = `Question: ${query.trim()}\nAnswer:`;
  const { question, room } = questionOf(`\n${asked}`, model, frame);
  const askedAtOnce = tokenizer.tokenize(asked);
  const isEnd = endOf(model);
  const readOne = async (passage: Passage): Promise<Found> => {
    const { ids: asking } = endsInPicture(passage, model) ? askedAtOnce : question;
    const ids = [...tokenizer.prefix, ...passage.ids, ...asking];
    const beginning: Beginning = {
      ids,
      factors: factorsOf(passage, model, ids.length),
      embeddingOverrides: placedOf(passage, model),
      mode: 'additive',
    };
    const tokens = await continuation(model.network, beginning, isEnd);
    const [line = ''] = tokenizer
      .read(tokens.map(({ id }) => id))
      .text.trimStart()
      .split('\n');
    const sum = tokens.reduce((total, { logProbability }) => total + logProbability, 0);
    return { answer: line.trimEnd(), score: score(Math.exp(sum / tokens.length)) };
  };
  return {
    passageTokens: room,
    plan: (lengths) => lengths.map((_, index) => [index]), // several lengths cannot share a retained past
    isSelective: true,
    async read(passages) {
      const found: Found[] = [];
      for (const passage of passages) found.push(await readOne(passage));
      return found;
    },
  };
}

/** Whether a token ends an answer: the end of the text, or of its line. */
function endOf(model: LoadedModel): (id: number) => boolean {
  const marks = endMarks(model);
  return (id) => marks.has(id) || model.tokenizer.show(id).includes('\n');
}

/** Factors that a passage's controls put on the whole sequence; undefined: none. */
function factorsOf({ factors, ids }: Passage, { tokenizer }: LoadedModel, tokens: number): Float64Array | undefined {
  if (!factors) return undefined;
  const all = new Float64Array(tokens).fill(1);
  all.set(denseFactors(factors, ids.length), tokenizer.prefix.length);
  return all;
}

function endsInPicture({ ids, embeddingOverrides = [] }: Passage, { network }: LoadedModel): boolean {
  return embeddingOverrides.some(({ position, rows }) => position + rows.length / network.shape.width === ids.length);
}

/** A passage's pictures by their position in the whole sequence. */
function placedOf({ embeddingOverrides = [] }: Passage, { tokenizer }: LoadedModel): readonly EmbeddingOverride[] {
  return embeddingOverrides.map(({ position, rows }) => ({ position: position + tokenizer.prefix.length, rows }));
}

/**
 * The most likely tokens in turn, up to the first that ends the answer, which is not among them. The first is the
 * likeliest that does not end it at once: every passage is to be answered, and the score tells how well.
 */
async function continuation(network: Network, beginning: Beginning, isEnd: (id: number) => boolean) {
  const tokens: LikelyToken[] = [];
  const steps = growingSequence(network, beginning);
  try {
    for (let logits = await steps.next(); tokens.length < LONGEST_ANSWER; logits = await steps.next()) {
      const token = tokens.length === 0 ? likeliestBut(logits, isEnd) : likeliest(logits);
      if (tokens.length > 0 && isEnd(token.id)) break;
      tokens.push(token);
      steps.push(token.id);
    }
  } finally {
    steps.release();
  }
  return tokens;
}

function likeliestBut(logits: Float32Array, isExcluded: (id: number) => boolean): LikelyToken {
  const excluded = new Set<number>();
  for (;;) {
    const token = likeliest(logits, excluded);
    if (!isExcluded(token.id) || token.id < 0) return token;
    excluded.add(token.id);
  }
}
