import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { operation } from '../operation.ts';
import { wellFormed } from '../request/text.ts';

const tokenize = operation({
  ...OPERATION_DOCS.tokenize,
  kind: 'tokenize',
  use: null,
  input: async ({ prompt }) => ({ prompt: wellFormed(prompt, 'prompt') }),
  output: ({ tokens, ids }, { body }) => ({
    ...(body.tokens && { tokens: [...tokens] }),
    ...(body.token_ids && { token_ids: [...ids] }),
  }),
});

const detokenize = operation({
  ...OPERATION_DOCS.detokenize,
  kind: 'detokenize',
  use: null,
  input: async ({ token_ids: ids }) => ({ ids }),
  output: ({ text }) => ({ result: text }),
});

/** `POST /tokenize` and `/detokenize`. */
export const tokenizeOperations = [tokenize, detokenize];
