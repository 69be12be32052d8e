import { codePointMap, type Span } from '../contract/code-points.ts';
import type { TextScore } from '../contract/explain.ts';
import { isRecord } from '../contract/records.ts';
import { type Fields, fieldsAt, listAt, numberAt, textAt, unexpected } from './fields.ts';
import { namedTensors } from './safetensors.ts';
import { joined, sectionScores } from './tokens.ts';
import { byteAlphabet } from './byte-alphabet.ts';

/** What `<lightwell-heat-map>` draws: a text, and for each target a list of scores and its name. */
export type ReadScores = Required<Scores>;

interface Scores {
  readonly text: string;
  /** Places in code points; scores in the unit of the tool. */
  readonly scores: readonly (readonly TextScore[])[];
  readonly targets: readonly string[];
  /** `share`, where it is left out too: drawn as shares of the largest. */
  readonly unit?: 'nats' | 'share';
}

/** Reads one format. @throws {RangeError} with the place, the expectation and the value */
export type Reader = (fields: Fields) => Scores;

/** A body of `POST /explain` and its response, as records and saved scores have them. Scores of target and pictures are left out. */
export const ofLightwell: Reader = ({ request, response }) => {
  const { prompt, control_factor: factor, postprocessing, normalize } = fieldsAt(request, 'request');
  const text = textAt(promptText(prompt), 'request.prompt');
  const { explanations, requests } = fieldsAt(response, 'response');
  const isProcessed = (postprocessing ?? 'none') !== 'none' || normalize === true;
  // A section whose attention is strengthened supports what becomes more likely: the score has the other sign. `requests` are of
  // methods that delete sections, and processed scores have no sign.
  const isReversed = requests === undefined && !isProcessed && typeof factor === 'number' && factor > 1;
  const sign = isReversed ? -1 : 1;
  const read = listAt(explanations, 'response.explanations', (value, place) => {
    const { target, items } = fieldsAt(value, place);
    const ofText = listAt(items, `${place}.items`, fieldsAt).find(({ type }) => type === 'text');
    if (!ofText) throw unexpected(`${place}.items`, 'an item of type text', items);
    return {
      target: textAt(target, `${place}.target`),
      scores: listAt(ofText['scores'], `${place}.items.scores`, (one, at) => scoreAt(one, at, sign)),
    };
  });
  return {
    text,
    scores: read.map(({ scores }) => scores),
    targets: read.map(({ target }) => target),
    unit: isProcessed ? 'share' : 'nats',
  };
};

/** The text of a prompt that is one; the prompt itself otherwise. */
function promptText(prompt: unknown): unknown {
  const [item, ...others]: unknown[] = Array.isArray(prompt) ? prompt : [];
  return isRecord(item) && others.length === 0 && item['type'] === 'text' ? item['data'] : prompt;
}

function scoreAt(value: unknown, place: string, sign: number): TextScore {
  const { start, length, score } = fieldsAt(value, place);
  return {
    start: numberAt(start, `${place}.start`),
    length: numberAt(length, `${place}.length`),
    score: sign * numberAt(score, `${place}.score`),
  };
}

/** Captum's `LLMAttributionResult`. @source captum 0.9, `attr/_core/llm_attr.py` */
export const ofCaptum: Reader = (fields) => {
  const tokens = joined(textsOfTokens(listAt(fields['input_tokens'], 'input_tokens', textAt)));
  const targets = listAt(fields['output_tokens'], 'output_tokens', textAt);
  const row = (value: unknown, place: string) =>
    sectionScores(tokens, listAt(value, place, numberAt, tokens.sectionOf.length));
  const { token_attr: ofTokens, seq_attr: ofSequence } = fields;
  if (ofTokens === null || ofTokens === undefined)
    return { text: tokens.text, scores: [row(ofSequence, 'seq_attr')], targets: [targets.join('')] };
  return { text: tokens.text, scores: listAt(ofTokens, 'token_attr', row, targets.length), targets };
};

/**
 * Texts of a vocabulary's tokens: marks of spaces and words become spaces, and bytes characters. Tokens without marks and spaces
 * are words. Special tokens stay as they are.
 *
 * @returns  as many as tokens; the character that several tokens have the bytes of belongs to the last of them
 */
function textsOfTokens(tokens: readonly string[]): string[] {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { ignoreBOM: true })];
  const texts = piecesOf(tokens).map((piece) =>
    decoder.decode(typeof piece === 'string' ? encoder.encode(piece) : piece, { stream: true }),
  );
  const rest = decoder.decode(); // of a character that is cut off
  return [...texts.slice(0, -1), (texts.at(-1) ?? '') + rest];
}

function piecesOf(tokens: readonly string[]): (string | Uint8Array)[] {
  const has = (pattern: RegExp) => tokens.some((token) => pattern.test(token));
  if (has(/[ĠĊ]/)) return tokens.map((token) => byteAlphabet.bytesOf(token) ?? token);
  if (has(/▁/)) return tokens.map((token) => fallbackByte(token) ?? token.replaceAll('▁', ' '));
  if (has(/^\s|\s$/)) return [...tokens];
  return tokens.map((token, at) => (token.startsWith('##') ? token.slice(2) : at === 0 ? token : ` ${token}`));
}

/** The byte that SentencePiece writes for a part of a character that its vocabulary has not. */
function fallbackByte(token: string): Uint8Array | undefined {
  const [, digits] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? [];
  return digits === undefined ? undefined : Uint8Array.of(Number.parseInt(digits, 16));
}

/** A row of SHAP's `Explanation`. @source shap 0.51, `_explanation.py` */
export const ofShap: Reader = (fields) => {
  const tokens = joined(listAt(fields['data'], 'data', textAt));
  const { output_names: names } = fields;
  const isOfMany = Array.isArray(names);
  const targets = isOfMany ? listAt(names, 'output_names', textAt) : [];
  const row = (value: unknown, place: string) =>
    isOfMany ? listAt(value, place, numberAt, targets.length) : [numberAt(value, place)];
  const rows = listAt(fields['values'], 'values', row, tokens.sectionOf.length);
  const scores = (isOfMany ? targets : [names]).map((_, at) =>
    sectionScores(
      tokens,
      rows.map((row) => row[at] ?? 0),
    ),
  );
  return { text: tokens.text, scores, targets: typeof names === 'string' ? [names] : targets };
};

/** A file by Inseq's `save`, of aggregated scores. With scores of both, the text is the source, a line break, and the target. @source inseq 0.7, `data/attribution.py` */
export const ofInseq: Reader = ({ attributes }) => {
  const place = 'attributes.sequence_attributions';
  const [value] = listAt(fieldsAt(attributes, 'attributes')['sequence_attributions'], place, fieldsAt, 1);
  const fields = fieldsAt(value?.['attributes'], `${place}[0].attributes`);
  const tokensOf = (name: string) =>
    listAt(fields[name], name, (one, at) => {
      const token = fieldsAt(fieldsAt(one, at)['attributes'], `${at}.attributes`);
      return textAt(token['token'], `${at}.attributes.token`);
    });
  const ofTarget = tokensOf('target');
  const [source, target] = [textsOfTokens(tokensOf('source')), textsOfTokens(ofTarget)];
  const begin = numberAt(fields['attr_pos_start'], 'attr_pos_start');
  const end = numberAt(fields['attr_pos_end'], 'attr_pos_end');
  const targets = target.map((text, at) => text || (ofTarget[at] ?? '')).slice(begin, end);
  const parts = [
    {
      texts: source,
      rows: matrixAt(fields['source_attributions'], 'source_attributions', source.length, targets.length),
    },
    {
      texts: target,
      rows: matrixAt(fields['target_attributions'], 'target_attributions', target.length, targets.length),
    },
  ].filter(({ rows }) => rows.length > 0);
  const tokens = joined(parts.flatMap(({ texts }, at) => (at === 0 ? texts : ['\n', ...texts])));
  const rows = parts.flatMap(({ rows: own }, at) => (at === 0 ? own : [[], ...own]));
  // Not a number: of a token that comes after the target.
  const column = (at: number) => rows.map(({ [at]: score = NaN }) => (Number.isFinite(score) ? score : null));
  return { text: tokens.text, scores: targets.map((_, at) => sectionScores(tokens, column(at))), targets };
};

/** Rows of a safetensors file in base64; none for null. */
function matrixAt(value: unknown, place: string, height: number, width: number): number[][] {
  if (value === null || value === undefined) return [];
  const file = Uint8Array.from(decodedBase64(textAt(value, place), place), (unit) => unit.charCodeAt(0));
  const tensor = namedTensors(file, place, (reason) => {
    throw new RangeError(reason);
  }).get('attribution');
  const [rows, columns, ...others] = tensor?.dimensions ?? [];
  if (!tensor || rows !== height || columns !== width || others.length > 0)
    throw unexpected(place, `${height} × ${width} floats, as aggregate() makes them`, tensor?.dimensions);
  return Array.from({ length: height }, (_, at) => [...tensor.values.subarray(at * width, (at + 1) * width)]);
}

function decodedBase64(text: string, place: string): string {
  try {
    return atob(text);
  } catch {
    throw unexpected(place, 'base64', text);
  }
}

/** LIME's `as_list` and its text: each place of a word has its weight. @source lime 0.2, `lime_text.py`, `IndexedString` */
export const ofLime: Reader = (fields) => {
  const text = textAt(fields['text'], 'text');
  const { as_list: lists } = fields;
  const named = isRecord(lists) ? Object.entries(lists) : [['', lists] as const];
  const places = wordPlaces(text);
  const scores = named.map(([name, list]) => {
    const words = listAt(list, name === '' ? 'as_list' : `as_list.${name}`, weighedAt);
    for (const { text: word, place } of words)
      if (!places.has(word)) throw unexpected(place, 'a word of the text', word);
    return placedScores(words, (word) => places.get(word) ?? []);
  });
  return { text, scores, targets: isRecord(lists) ? Object.keys(lists) : [] };
};

function weighedAt(value: unknown, at: string): Weighed {
  const [text, score] = listAt(value, at, (one) => one, 2);
  return { text: textAt(text, `${at}[0]`), score: numberAt(score, `${at}[1]`), place: `${at}[0]` };
}

/** Where the words of a text are, as LIME splits it: by all that is neither a letter, nor a digit, nor `_`. */
function wordPlaces(text: string): ReadonlyMap<string, readonly Span[]> {
  const points = codePointMap(text);
  const places = new Map<string, Span[]>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const place = points.toCodePoints({ start: index, length: word.length });
    places.set(word, [...(places.get(word) ?? []), place]);
  }
  return places;
}

/** A text that has a score, and where it is in the value that is read. */
interface Weighed {
  readonly text: string;
  readonly score: number;
  readonly place: string;
}

/** Scores of the places of texts. No text may be twice in the list: nothing says which of its places each score is of. */
function placedScores(list: readonly Weighed[], placesOf: (text: string) => readonly Span[]): TextScore[] {
  const seen = new Set<string>();
  return list.flatMap(({ text, score, place }) => {
    if (seen.has(text)) throw unexpected(place, 'each text once', text);
    seen.add(text);
    return placesOf(text).map(({ start, length }) => ({ start, length, score }));
  });
}

/** ContextCite's table as records, and its context. @source context-cite 0.0.4, `get_attributions_df` */
export const ofContextCite: Reader = (fields) => {
  const text = textAt(fields['context'], 'context');
  const points = codePointMap(text);
  const sources = listAt(fields['attributions'], 'attributions', (value, at) => {
    const { Source: source, Score: score } = fieldsAt(value, at);
    const place = `${at}.Source`;
    return { text: textAt(source, place), score: numberAt(score, `${at}.Score`), place };
  });
  for (const { text: source, place } of sources)
    if (source === '' || text.split(source).length !== 2)
      throw unexpected(place, 'a source that is in the context once', source);
  const placesOf = (source: string) => [points.toCodePoints({ start: text.indexOf(source), length: source.length })];
  return { text, scores: [placedScores(sources, placesOf)], targets: [] };
};

/**
 * AT2's sources in the order of their text, and their scores. Sources that are bytes of one character are that character each time.
 *
 * @source at2 0.0.1, `tasks/base.py`, `sources`, and `attribution/attributors.py`, `get_attribution_scores`
 */
export const ofAt2: Reader = (fields) => {
  const text = textAt(fields['text'], 'text');
  const points = codePointMap(text);
  const sources = listAt(fields['sources'], 'sources', textAt);
  const values = listAt(fields['scores'], 'scores', numberAt, sources.length);
  const scores = new Map<number, TextScore>();
  let [start, end] = [0, 0];
  sources.forEach((source, at) => {
    const shown = source.trim() || source;
    const next = text.indexOf(shown, end);
    const isNext = next >= 0 && text.slice(end, next).trim() === '';
    if (!isNext && (at === 0 || source !== sources[at - 1]))
      throw unexpected(`sources[${at}]`, 'what follows in the text', source);
    if (isNext) [start, end] = [next, next + shown.length];
    const place = points.toCodePoints({ start, length: end - start });
    scores.set(start, { ...place, score: (scores.get(start)?.score ?? 0) + (values[at] ?? 0) });
  });
  return { text, scores: [[...scores.values()]], targets: [] };
};
