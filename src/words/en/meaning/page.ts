import { countText, numberText } from '../../numbers.ts';
import { wordsOf } from '../../spoken.ts';

const TEXTS = { one: 'text', other: 'texts' };
const texts = (count: number) => countText(count, TEXTS);

/** The page that searches, draws and sorts many texts. */
export const MEANING = {
  title: 'Meaning',
  claim: 'Search, map and sort many short texts by what they mean.',
  texts: {
    title: 'Texts',
    try: 'Try:',
    example: '60 customer comments',
    undo: 'Undo',
    paste: 'Your texts',
    placeholder: 'Paste texts here, one per line.',
    split: 'A text is',
    splits: { line: 'a line', paragraph: 'a paragraph' },
    open: 'Open files …',
    formats: 'CSV, text, Word, Markdown or PDF. Or drop them anywhere on this page.',
    column: 'Column with the texts',
    pasted: 'Pasted text',
    files: (count: number) => countText(count, { one: 'file', other: 'files' }),
    holds: (name: string, count: number) => `${name}: ${texts(count)}`,
    close: 'Remove',
  },
  reading: {
    start: (count: number) => `Read ${texts(count)}`,
    none: 'Read texts',
    stop: 'Stop',
    goOn: 'Go on',
    progress: (done: number, total: number) => `${numberText(done)} of ${texts(total)} read`,
    estimate: (count: number, time: string) => `${texts(count)}: about ${time} on this device.`,
    rule: (thousand: string, many: string) =>
      `This device reads 1,000 short texts in about ${thousand}, 20,000 in about ${many}. You can search while it reads.`,
    measuring: 'Measuring how fast this device reads …',
    left: (time: string) => `about ${time} left`,
    done: (count: number) => `${texts(count)} read.`,
    stopped: (done: number, total: number) =>
      `Stopped: ${numberText(done)} of ${texts(total)} were read. Search, map and lists have these.`,
    cut: (count: number) =>
      `${texts(count)} ${count === 1 ? 'is' : 'are'} longer than the model reads; only the beginning counts.`,
    leftOut: (count: number) => `${texts(count)} more were left out: this page takes 20,000.`,
    failed: 'The texts could not be read',
    tryAgain: 'Try again',
    bar: 'Texts read',
    seconds: (count: number) => countText(count, { one: 'second', other: 'seconds' }),
    minutes: (count: number) => countText(count, { one: 'minute', other: 'minutes' }),
  },
  empty: {
    title: 'Bring your texts together',
    lead: 'Comments, notes, answers, titles: up to 20,000 of them. They stay on this device.',
    steps: [
      'Paste or open your texts, or take the example.',
      'Search them, see them as a map, find duplicates, or sort them by a few examples.',
    ],
    example: 'Show the example',
  },
  vectors: {
    title: 'Save vectors',
    about: (width: string) => `The texts with ${width} numbers each, for your own tools.`,
    format: 'Format',
    formats: { csv: 'CSV', json: 'JSON', npy: 'NumPy', parquet: 'Parquet' },
    descriptions: {
      csv: 'A row for each text, a column for each number. Opens in spreadsheets.',
      json: 'Each text with its vector, and the model.',
      npy: 'The vectors alone, float32, in the order of the texts.',
      parquet: 'Texts and vectors in a compact table, for pandas, DuckDB or Arrow.',
    },
    save: (format: string) => `Save ${format}`,
    saving: 'Writing …',
    saved: (name: string) => `Saved ${name}`,
  },
  views: { label: 'View', search: 'Search', map: 'Map', matrix: 'Similarity', sort: 'Sort', duplicates: 'Duplicates' },
  viewFailed: 'This view could not be loaded. Reload the page.',
  failed: (why: string) => `The computation failed: ${why}`,
  search: {
    label: 'Search for',
    placeholder: 'such as: money back',
    none: 'Nothing fits. Try other words.',
    hint: 'Finds texts that mean the same in other words, and texts that share words.',
    found: (count: number, searched: number) =>
      count < searched ? `The best ${numberText(count)} of ${texts(searched)}` : `${texts(searched)}, the best first`,
    soFar: (searched: number, total: number) => `${numberText(searched)} of ${texts(total)} searched so far`,
    share: 'Words or meaning',
    shareText: (percent: string) => `${percent} % meaning`,
    wordsOnly: 'words only',
    meaningOnly: 'meaning only',
    words: 'words',
    meaning: 'meaning',
    score: (score: string, meaning: string, words: string) => `Score ${score}: meaning ${meaning} + words ${words}`,
    shared: (list: string) => `Shared words: ${list}`,
    more: (count: number) => `Show ${numberText(count)} more`,
    save: 'Save results (CSV)',
    columns: {
      rank: 'rank',
      text: 'text',
      score: 'score',
      meaning: 'meaning',
      words: 'words',
      cosine: 'cosine',
      terms: 'shared words',
    },
  },
};

/** See `MEANING`. */
export const meaningWords = wordsOf('meaning/page', MEANING);
