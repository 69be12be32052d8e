import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codePointMap, type Span } from '../../../../../src/contract/code-points.ts';
import { createTokenizer } from '../../../../../workers/engine/loading/tokenizer.ts';
import { coveringSpans, withoutLeadingSpace } from '../../../../../workers/engine/tokenizer/token-spans.ts';
import { COMPOSED_TOKENIZERS } from '../../../../support/tokenizers/composed-tokenizers.ts';
import { HARD_STRINGS, MIXED_STRINGS } from '../../../../support/tokenizers/hard-strings.ts';
import { SMALL_TOKENIZERS } from '../../../../support/tokenizers/small-tokenizers.ts';

/** What `make-places.py` writes. Places are code points, beginning and end of each token in turn. */
interface Reference {
  readonly library: string;
  readonly sha256: string;
  /** Checksums of the ids of all texts; null where the library fails. */
  readonly composed: readonly (string | null)[];
  readonly tokenizers: Readonly<
    Record<string, readonly { readonly ids: readonly number[]; readonly places: readonly number[] }[]>
  >;
}

const FILE = new URL('../../../../support/tokenizers/places.json', import.meta.url);
const input = JSON.stringify({
  strings: HARD_STRINGS,
  tokenizers: SMALL_TOKENIZERS,
  composed: { strings: MIXED_STRINGS, tokenizers: COMPOSED_TOKENIZERS },
});
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const output = process.env['LIGHTWELL_TOKENIZERS'];
if (output !== undefined) writeFileSync(output, input);

/** Tokenizers whose places are finer here than there; the tokens are the same. */
const FINER: Readonly<Partial<Record<string, string>>> = {
  'BPE, unknown dropped': 'there, characters that are dropped move the places of later tokens',
  'Unigram, byte fallback': 'there, all bytes of a run of unknown characters have the place of the run',
  'Unigram, Nmt': 'there, a space that stands for several has the place of the last',
  'Unigram, character map': 'there, removed characters move the places of later tokens',
};

describe('tokens and places of the tokenizers library', () => {
  const reference: Reference = JSON.parse(readFileSync(FILE, 'utf8'));

  it('are of these tokenizers and texts', () => {
    expect(digestOf(input), 'make-places.py makes the reference').toBe(reference.sha256);
  });

  it.each(Object.keys(SMALL_TOKENIZERS))('are the same: %s', (name) => {
    const { tokenize } = createTokenizer(SMALL_TOKENIZERS[name] ?? {}, {});
    HARD_STRINGS.forEach((text, i) => {
      const { ids, spans } = tokenize(text);
      const expected = reference.tokenizers[name]?.[i];
      expect(ids, text).toEqual(expected?.ids);
      if (!FINER[name]) expect(spans, text).toEqual(reported(text, expected?.places ?? []));
    });
  });

  it('are of the same tokens where steps and added tokens are composed at random', () => {
    const compared = reference.composed.flatMap((digest, i) => (digest === null ? [] : [{ digest, i }]));
    expect(compared.length).toBeGreaterThan(0.9 * COMPOSED_TOKENIZERS.length);
    const different = compared.filter(({ digest, i }) => {
      const { tokenize } = createTokenizer(COMPOSED_TOKENIZERS[i] ?? {}, {});
      return digestOf(JSON.stringify(MIXED_STRINGS.map((text) => tokenize(text).ids))) !== digest;
    });
    expect(different.map(({ i }) => i)).toEqual([]);
  });
});

/** Places as the contract reports them. */
function reported(text: string, places: readonly number[]): Span[] {
  const { toUtf16 } = codePointMap(text);
  const spans = places.flatMap((start, i) =>
    i % 2 === 0 ? [toUtf16({ start, length: (places[i + 1] ?? 0) - start })] : [],
  );
  return withoutLeadingSpace(text, coveringSpans(text, spans));
}
