import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';
import { type JsonPart, partsOf, refuseField, refuseType, textField } from './json-fields.ts';
import { patternOf } from './patterns.ts';
import type { ModelKind } from './word-models.ts';

/** The text that a token of the model stands for; bytes where it may be a part of a character. */
export type Decoded = string | Uint8Array;

/**
 * Reads tokens. @param isFirst  whether the token begins a text: a word of WordPiece after another one has a space before it
 */
export type Decoder = (token: string, isFirst: boolean) => Decoded;

interface DecoderOptions {
  /** Tokens are written in the alphabet of byte-level BPE. */
  readonly isByteLevel: boolean;
  readonly model: ModelKind;
}

/**
 * The decoder of a tokenizer, for one token at a time. A space at the beginning of a text stays, because a continuation may begin
 * with one.
 *
 * @param part  `decoder`; undefined: marks of words are read as the kind of model has them
 * @throws {FailureError} MODEL_UNAVAILABLE for a type that is not supported, naming it
 * @source the tokenizers library, `decoders`
 */
export function createDecoder(part: JsonPart | undefined, { isByteLevel, model }: DecoderOptions): Decoder {
  if (isByteLevel) return (token) => byteAlphabet.bytesOf(token) ?? token;
  const isOfWords = model === 'WordPiece' || model === 'WordLevel';
  const steps = part ? stepsOf(part) : [isOfWords ? wordPiece('##') : markAsSpace('▁')];
  return (token, isFirst) =>
    steps.reduce<Decoded>((read, step) => (typeof read === 'string' ? step(read, isFirst) : read), token);
}

/** @throws {FailureError} MODEL_UNAVAILABLE */
function stepsOf(part: JsonPart): Decoder[] {
  const type = textField(part, 'type', '');
  switch (type) {
    case 'Sequence':
      return partsOf(part, 'decoders').flatMap(stepsOf);
    case 'Metaspace':
      return [markAsSpace(textField(part, 'replacement', '▁'))];
    case 'WordPiece':
      return [wordPiece(textField(part, 'prefix', '##'))];
    case 'BPEDecoder':
      return [markAsSpace(textField(part, 'suffix', '</w>'))];
    case 'ByteFallback':
      return [byteToken];
    case 'Replace': {
      const [pattern, content] = [patternOf(part), textField(part, 'content', '')];
      return [(token) => token.replace(pattern, () => content)];
    }
    case 'Fuse':
    case 'Strip': // takes the space away that a text begins with
      return [];
    case 'CTC':
      return refuseField(`${part.path}type`, 'a decoder of texts', type);
    default:
      return refuseType(part);
  }
}

function markAsSpace(mark: string): Decoder {
  return (token) => (mark === '' ? token : token.replaceAll(mark, ' '));
}

function wordPiece(prefix: string): Decoder {
  return (token, isFirst) => {
    if (prefix !== '' && token.startsWith(prefix)) return token.slice(prefix.length);
    return isFirst || token.startsWith(' ') ? token : ` ${token}`;
  };
}

const BYTE = /^<0x([0-9A-Fa-f]{2})>$/;

function byteToken(token: string): Decoded {
  const [, digits] = BYTE.exec(token) ?? [];
  return digits === undefined ? token : Uint8Array.of(Number.parseInt(digits, 16));
}
