import { type AddedToken, createSectionFinder } from './added-tokens.ts';
import { type JsonPart, partOf } from './json-fields.ts';
import { createNormaliser, inSequence, type Normaliser } from './normaliser.ts';
import { createPreTokeniser, type Pieces } from './pre-tokeniser.ts';
import { remembered, type WordModel } from './word-models.ts';
import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';
import { unitsOfBytes } from './token-spans.ts';

/** A token with its place in the text as given: UTF-16 units, `[start, end)`. */
export interface PlacedToken {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

type WordModels = Readonly<Record<'ofText' | 'ofBytes', WordModel>>;

/**
 * Text to tokens: added tokens, normaliser, pre-tokeniser and model, each of which keeps the places of what it changes. So the
 * place of a token follows from how it was made; it is never searched for.
 *
 * @param json    `tokenizer.json`
 * @param config  `tokenizer_config.json`
 * @throws {FailureError} MODEL_UNAVAILABLE for a step that is not supported
 * @source the tokenizers library, "The tokenization pipeline"
 */
export function createPipeline(
  json: JsonPart,
  config: object,
  { model, added }: { readonly model: WordModel; readonly added: readonly AddedToken[] },
): (text: string) => PlacedToken[] {
  const normalise = inSequence([...configuredSteps(config), createNormaliser(partOf(json, 'normalizer'))]);
  const split = createPreTokeniser(partOf(json, 'pre_tokenizer'));
  const sectionsOf = createSectionFinder(added, normalise);
  const models = { ofText: remembered(model), ofBytes: remembered(readingBytes(model)) };
  return (text) => {
    const tokens: PlacedToken[] = [];
    for (const section of sectionsOf(text)) {
      if (section.token) {
        tokens.push({ id: section.token.id, start: section.start, end: section.end });
        continue;
      }
      const { aligned } = section;
      const ranges = [[0, aligned.text.length] as const];
      addTokens(tokens, split({ aligned, ranges, isBytes: false }), models);
    }
    return tokens;
  };
}

/** The model for words whose bytes it reads, each as a character. A token that holds a part of a character has the place of the whole. */
function readingBytes(model: WordModel): WordModel {
  return {
    ...model,
    tokens(word) {
      const tokens = model.tokens(byteAlphabet.encode(word));
      if (/^[\0-\x7F]*$/.test(word)) return tokens;
      const { starts, ends } = unitsOfBytes(word);
      return tokens.map(({ id, from, to }) => ({ id, from: starts[from] ?? word.length, to: ends[to - 1] ?? 0 }));
    },
  };
}

function addTokens(tokens: PlacedToken[], { aligned, ranges, isBytes }: Pieces, models: WordModels): void {
  const { text, starts, ends } = aligned;
  const { tokens: tokensOf } = isBytes ? models.ofBytes : models.ofText;
  for (const [from, to] of ranges)
    for (const token of tokensOf(text.slice(from, to))) {
      const start = starts[from + token.from] ?? 0;
      tokens.push({ id: token.id, start, end: Math.max(start, ends[from + token.to - 1] ?? 0) });
    }
}

/** What old tokenizers ask for outside `tokenizer.json`. @source transformers, `XLNetTokenizer` and `XLMTokenizer` */
function configuredSteps(config: object): Normaliser[] {
  const step = (value: object) => createNormaliser({ path: '', value });
  const isOn = (name: string) => Reflect.get(config, name) === true;
  return [
    ...(isOn('remove_space')
      ? [step({ type: 'Strip' }), step({ type: 'Replace', pattern: { Regex: String.raw`\s+` }, content: ' ' })]
      : []),
    ...(isOn('do_lowercase_and_remove_accent') ? [step({ type: 'Lowercase' }), step({ type: 'StripAccents' })] : []),
  ];
}
