import type { JobPrompt } from '../../../src/protocol/prompt.ts';
import type { TokenizedText, Tokenizer } from '../../engine/loading/tokenizer.ts';
import { tokenizeWithin } from './tokenize.ts';

/** How a sequence begins. */
export interface Opening {
  /** Ids of the instruction. */
  readonly instruction: readonly number[];
  /** The prompt's first item as it reads behind the instruction; undefined: it is read by itself. */
  readonly text?: TokenizedText;
}

/**
 * Tokenises an instruction together with the text behind it, as the model was trained: many tokenizers join a word with the
 * space or the mark in front of it. A token that holds the end of the one and the beginning of the other counts to the text.
 * Before anything but a text the instruction stands by itself, without the spaces at its end.
 *
 * @param instruction  '' for none
 * @throws {FailureError} PROMPT_TOO_LONG
 * @source sentence-transformers 5, `SentenceTransformer.encode`: `prompt + sentence`
 */
export function openingOf(
  item: JobPrompt['items'][number] | undefined,
  instruction: string,
  tokenizer: Tokenizer,
  place: { readonly path: string; readonly limit: number },
): Opening {
  if (instruction === '') return { instruction: [] };
  if (item?.type !== 'text') return { instruction: tokenizer.tokenize(instruction.trimEnd()).ids };
  const { ids, spans } = tokenizeWithin(tokenizer, instruction + item.text, place);
  const first = spans.findIndex(({ start, length }) => start + length > instruction.length);
  const own = first < 0 ? ids.length : first;
  return {
    instruction: ids.slice(0, own),
    text: {
      text: item.text,
      ids: ids.slice(own),
      spans: spans.slice(own).map(({ start, length }) => {
        const begin = Math.max(0, start - instruction.length);
        return { start: begin, length: Math.max(0, start + length - instruction.length - begin) };
      }),
    },
  };
}
