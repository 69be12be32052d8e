import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codePointMap, type Span } from '../../../../../src/contract/code-points.ts';
import { createTokenizer, type Tokenizer } from '../../../../../workers/engine/loading/tokenizer.ts';
import { factorsOnText } from '../../../../../workers/kernels/attention-control.ts';
import { textSections } from '../../../../../workers/kernels/text-sections.ts';
import { COMPOSED_TOKENIZERS } from '../../../../support/tokenizers/composed-tokenizers.ts';
import { HARDER_STRINGS, MIXED_STRINGS } from '../../../../support/tokenizers/hard-strings.ts';
import { SMALL_TOKENIZERS } from '../../../../support/tokenizers/small-tokenizers.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Folders of the hub; tests of them are skipped, with the reason, where they are absent. */
const data = resolve(root, process.env['LIGHTWELL_DATA'] ?? '../shared/data');
const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8'));

const EMBEDDED = ['lightwell-base', 'lightwell-embed', 'lightwell-reader'].map(
  (name) => `${root}public/models/${name}`,
);
const OTHERS = [
  'Supabase/gte-small',
  'Xenova/all-MiniLM-L6-v2',
  'avsolatorio/NoInstruct-small-Embedding-v0',
  'intfloat/multilingual-e5-large-instruct',
  'openai-community/gpt2',
  'sentence-transformers/all-mpnet-base-v2',
].map((name) => `${data}/hub/${name}`);

/** Whether a folder has its tokenizer; one that was not fetched from large file storage is a text that names it. */
function hasTokenizer(folder: string): boolean {
  const path = `${folder}/tokenizer.json`;
  return existsSync(path) && readFileSync(path, 'utf8').startsWith('{');
}

const skipped = OTHERS.filter((folder) => !hasTokenizer(folder));
if (skipped.length > 0) console.log(`Skipped, tokenizers: no file in ${skipped.join(', ')}`);

const TEXTS = [...MIXED_STRINGS, ...HARDER_STRINGS];

const TOKENIZERS: readonly (readonly [name: string, open: () => Tokenizer, texts: readonly string[]])[] = [
  ...Object.entries(SMALL_TOKENIZERS).map(([name, json]) => [name, () => createTokenizer(json, {}), TEXTS] as const),
  ...COMPOSED_TOKENIZERS.map((json, i) => [`composed ${i}`, () => createTokenizer(json, {}), MIXED_STRINGS] as const),
  ...EMBEDDED.concat(OTHERS.filter(hasTokenizer)).map((folder) => {
    const json = (file: string) => read(`${folder}/${file}`);
    return [
      folder.slice(folder.lastIndexOf('/') + 1),
      () => createTokenizer(json('tokenizer.json'), json('tokenizer_config.json')),
      TEXTS,
    ] as const;
  }),
];

const GRANULARITIES = ['token', 'word', 'sentence', 'paragraph'] as const;
const shown = (text: string) => JSON.stringify(text).slice(0, 40);
const endOf = ({ start, length }: Span) => start + length;

/** The spans that are out of order, and the parts of a text between them that are not white space. */
function faultsOf(text: string, spans: readonly Span[]): string[] {
  const faults: string[] = [];
  let [start, end] = [0, 0];
  for (const span of [...spans, { start: text.length, length: 0 }]) {
    if (span.start < start || endOf(span) > text.length) faults.push(`${span.start}+${span.length}`);
    faults.push(text.slice(end, Math.max(end, span.start)).trim());
    start = span.start;
    end = Math.max(end, endOf(span));
  }
  return faults.filter((fault) => fault !== '');
}

describe.each(TOKENIZERS)('%s', (_, open, texts) => {
  const { tokenize } = open();
  const cases = texts.map(tokenize).filter(({ ids }) => ids.length > 0);
  const controlled = ({ spans }: { readonly spans: readonly Span[] }, part: Span) =>
    factorsOnText({ ...part, factor: 0, overlap: 'complete' }, spans, 0).length;

  it('has tokens in order, with every character but white space in the place of one', () => {
    for (const { text, spans } of cases) expect(faultsOf(text, spans), shown(text)).toEqual([]);
  });

  it('never cuts a character', () => {
    for (const { text, spans } of cases) {
      const { toCodePoints, toUtf16 } = codePointMap(text);
      expect(spans.map((span) => toUtf16(toCodePoints(span)))).toEqual(spans);
    }
  });

  it('reaches all tokens with a control on the whole text, and some with one on each section', () => {
    for (const each of cases) {
      const { text, ids } = each;
      expect(controlled(each, { start: 0, length: text.length }), shown(text)).toBe(ids.length);
      if (text.length > 100) continue;
      const unreached = GRANULARITIES.flatMap((type) =>
        textSections(each, { type }).filter((section) => controlled(each, section) === 0),
      );
      expect(unreached, shown(text)).toEqual([]);
    }
  });

  it('lists every token in a section of token granularity, and none of them overlap', () => {
    for (const each of cases) {
      const sections = textSections(each, { type: 'token' });
      const overlapping = sections.filter(
        ({ start }, i) => start < (i === 0 ? 0 : endOf(sections[i - 1] ?? { start, length: 0 })),
      );
      const starts = new Set(sections.map(({ start }) => start));
      const covered = new Set(sections.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i)));
      const missing = each.spans.filter(({ start }) => !covered.has(start) && !starts.has(start));
      expect([overlapping, missing], shown(each.text)).toEqual([[], []]);
    }
  });
});
