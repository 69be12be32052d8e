import { FailureError } from '../../../src/contract/failure.ts';
import type { CompleteJob } from '../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { chosenToken, isGreedy, isTextAllowed, penalise } from '../../kernels/next-token.ts';
import { endMarks } from './continuation.ts';
import type { JsonConstraint } from './json/constraint.ts';

interface Written {
  readonly ids: readonly number[];
  readonly text: string;
  readonly tokens: number;
}

/** Changes scores in place, `[vocabulary]`. */
type Change = (scores: Float32Array, written: Written) => void;

/**
 * Chooses tokens: penalties come first, then the bias of ids, then included and excluded texts, then JSON; the remaining tokens are
 * sampled.
 *
 * @param prompt  ids of the prompt, those of pictures left out
 * @returns `choose`, which chooses the next token of a completion from logits or the id of the likeliest; `null` where the text
 *   ends; and whether that id is enough
 * @throws  {FailureError} INVALID_REQUEST for a bias of an id outside the vocabulary; `choose` throws it where JSON is not whole and no
 *   token is left
 */
export function createSampler(
  job: CompleteJob,
  prompt: readonly number[],
  model: LoadedModel,
  constraint: JsonConstraint | null,
) {
  const marks = endMarks(model);
  const bias = biasOf(job, model.network.shape.vocabulary);
  const json: Change | null = constraint && ((scores, { ids }) => constraint.exclude(scores, ids));
  const all = [penaltiesOf(job, prompt, model), bias, textsOf(job, model, marks), lengthOf(job, marks), json];
  const changes = all.filter((change) => change !== null);
  const choose = (logits: Float32Array, written: Written, random: () => number): number => {
    const scores = changes.length === 0 ? logits : logits.slice();
    for (const change of changes) change(scores, written);
    return chosenToken(scores, job.sampling, random);
  };
  return {
    takesLikeliest: changes.length === 0 && isGreedy(job.sampling),
    choose(next: Float32Array | number, written: Written, random: () => number): number | null {
      const id = typeof next === 'number' ? next : choose(next, written, random);
      if (id < 0) constraint?.checkWhole();
      return id < 0 || marks.has(id) ? null : id;
    },
  };
}

function penaltiesOf(
  { repetition }: CompleteJob,
  prompt: readonly number[],
  { tokenizer }: LoadedModel,
): Change | null {
  const { presence, frequency, sequence, bias, includesPrompt, includesCompletion } = repetition;
  if ([presence, frequency, sequence].every(({ strength }) => strength === 0)) return null;
  const unordered = tokenizer.tokenize(bias).ids;
  const exceptions = new Set(repetition.exceptions.flatMap((text) => tokenizer.tokenize(text).ids));
  const before = includesPrompt ? prompt : [];
  return (scores, written) => {
    const ids = includesCompletion ? [...before, ...written.ids] : before;
    penalise(scores, repetition, { ids, unordered, exceptions });
  };
}

function biasOf({ logitBias }: CompleteJob, vocabulary: number): Change | null {
  if (logitBias.length === 0) return null;
  const unknown = logitBias.find(([id]) => id >= vocabulary);
  if (unknown)
    throw new FailureError(
      'INVALID_REQUEST',
      `logit_bias: expected token ids up to ${vocabulary - 1}, got ${unknown[0]}`,
    );
  return (scores) => {
    for (const [id, bias] of logitBias) scores[id] = (scores[id] ?? -Infinity) + bias;
  };
}

function textsOf(job: CompleteJob, { tokenizer }: LoadedModel, marks: ReadonlySet<number>): Change | null {
  if (!job.inclusion && !job.exclusion) return null;
  const piecesOf = (isFirst: boolean) =>
    Array.from({ length: tokenizer.vocabulary }, (_, id) => (marks.has(id) ? null : tokenizer.show(id, isFirst)));
  const known: ReturnType<typeof piecesOf>[] = [];
  return (scores, written) => {
    const isFirst = written.text === '';
    const pieces = (known[Number(isFirst)] ??= piecesOf(isFirst));
    const isAllowed = isTextAllowed(job, written);
    for (let id = 0; id < scores.length; id++) {
      const piece = pieces[id];
      if (!isAllowed(piece === undefined ? '' : piece)) scores[id] = -Infinity;
    }
  };
}

function lengthOf({ minimum_tokens: minimum }: CompleteJob, marks: ReadonlySet<number>): Change | null {
  if (minimum === 0) return null;
  return (scores, { tokens }) => {
    if (tokens < minimum) for (const id of marks) scores[id] = -Infinity;
  };
}

/** Tokens after which an incomplete character becomes final. */
const LONGEST_CHARACTER = 8;

/** Text of tokens as they are written, up to a stop sequence. @param stopSequences  none of them empty */
export function writtenText({ read }: LoadedModel['tokenizer'], stopSequences: readonly string[]) {
  const longest = Math.max(0, ...stopSequences.map(({ length }) => length));
  let whole = '';
  let pending: number[] = [];
  let stop = -1;
  let sent = 0;
  const pendingText = () => (pending.length === 0 ? '' : read(pending, whole === '').text);
  const settle = (more: string) => {
    const from = Math.max(0, whole.length - longest + 1);
    whole += more;
    pending = [];
    if (stop < 0) stop = firstOf(whole, stopSequences, from);
  };
  const beforeStop = () => (stop < 0 ? whole : whole.slice(0, stop));
  return {
    push(id: number) {
      pending.push(id);
      const more = pendingText();
      if (!more.endsWith('\uFFFD') || pending.length >= LONGEST_CHARACTER) settle(more);
    },
    /** Whether a stop sequence was written. */
    get isStopped() {
      return stop >= 0;
    },
    /** All text so far, a stop sequence and the text after it included. */
    get raw() {
      return whole + pendingText();
    },
    /** The text before a stop sequence. */
    get text() {
      return stop < 0 ? whole + pendingText() : beforeStop();
    },
    /** New text, without what may begin a stop sequence or is an incomplete character. @param isOver  no more tokens follow */
    fresh(isOver: boolean): string {
      if (isOver && stop < 0) settle(pendingText());
      const text = beforeStop();
      const end = isOver || stop >= 0 ? text.length : text.length - longestBeginning(text, stopSequences);
      const from = sent;
      sent = Math.max(sent, end);
      return text.slice(from, sent);
    },
  };
}

/** The index of the first of some texts in another, at `from` or later; −1 for none. */
function firstOf(text: string, wanted: readonly string[], from: number): number {
  const indices = wanted.map((each) => text.indexOf(each, from)).filter((index) => index >= 0);
  return indices.length === 0 ? -1 : Math.min(...indices);
}

/** Length of the longest end of a text with which one of the others begins. */
function longestBeginning(text: string, others: readonly string[]): number {
  let length = Math.min(text.length, Math.max(0, ...others.map((other) => other.length - 1)));
  while (length > 0 && !others.some((other) => length < other.length && text.endsWith(other.slice(0, length))))
    length--;
  return length;
}
