import { SequencePostProcessor } from '@huggingface/tokenizers';
import { type JsonPart, partOf, refuseField } from './json-fields.ts';

/** Two texts as one sequence. */
export interface Pair {
  readonly ids: readonly number[];
  /** The text of each position, 0 or 1, `[ids]`: BERT's token types. */
  readonly segments: readonly number[];
  /** Position of the second text's first token. */
  readonly second: number;
}

/** Special ids that a model expects around texts. */
export interface SpecialIds {
  /** Before every text, such as a beginning-of-sequence mark. */
  readonly prefix: readonly number[];
  /** After every text, such as a separator. */
  readonly suffix: readonly number[];
  /** Two texts in one sequence, with those around and between them. */
  pair(first: readonly number[], second: readonly number[]): Pair;
}

/** Stand for the two texts; no token is named so. */
const [FIRST, SECOND] = ['\0first', '\0second'];

interface Special {
  readonly ids: readonly number[];
  readonly segments: readonly number[];
}

/**
 * Reads the post-processor with two texts of one token each, since every kind of it is written differently.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a kind that is not supported, or a special token without an id
 */
export function specialIds(json: JsonPart, idOf: (token: string) => number | undefined): SpecialIds {
  const part = partOf(json, 'post_processor');
  const special = (tokens: readonly string[], types: readonly number[]): Special => ({
    ids: tokens.map((token) => idOf(token) ?? refuseField('post_processor', 'a token of the vocabulary', token)),
    segments: tokens.map((_, i) => types[i] ?? 0),
  });
  const [before, after] = partsAround(processed(part), [FIRST], special);
  const [start, between, end] = partsAround(processed(part, SECOND), [FIRST, SECOND], special);
  return {
    prefix: before?.ids ?? [],
    suffix: after?.ids ?? [],
    pair: (first, second) => joinedPair({ start, between, end }, first, second),
  };
}

const NONE: Special = { ids: [], segments: [] };

function joinedPair(
  { start = NONE, between = NONE, end = NONE }: Readonly<Record<'start' | 'between' | 'end', Special | undefined>>,
  first: readonly number[],
  second: readonly number[],
): Pair {
  return {
    ids: [...start.ids, ...first, ...between.ids, ...second, ...end.ids],
    segments: [...start.segments, ...first.map(() => 0), ...between.segments, ...second.map(() => 1), ...end.segments],
    second: start.ids.length + first.length + between.ids.length,
  };
}

interface Processed {
  readonly tokens: readonly string[];
  /** Missing where nothing is added. */
  readonly types: readonly number[];
}

function processed(part: JsonPart | undefined, second?: string): Processed {
  const pair = second === undefined ? undefined : [second];
  if (part === undefined) return { tokens: [FIRST, ...(pair ?? [])], types: [] };
  const processor = new SequencePostProcessor({
    type: 'Sequence',
    // Read from a file; the library refuses kinds that it does not know.
    processors: [part.value as never],
  });
  const { tokens, tokens_pair: rest = [], token_type_ids: types = [] } = processor.post_process([FIRST], pair, true);
  return { tokens: [...tokens, ...(rest ?? [])], types };
}

/** What stands before, between and after the texts; nothing where a template leaves one of them out. */
function partsAround(
  { tokens, types }: Processed,
  texts: readonly string[],
  special: (tokens: readonly string[], types: readonly number[]) => Special,
): Special[] {
  const places = texts.map((text) => tokens.indexOf(text));
  if (places.some((place, i) => place < (places[i - 1] ?? 0))) return [];
  const begins = [0, ...places.map((place) => place + 1)];
  return begins.map((begin, i) => {
    const end = places[i] ?? tokens.length;
    return special(tokens.slice(begin, end), types.slice(begin, end));
  });
}
