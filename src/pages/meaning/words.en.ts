import { countText, numberText, wordsFor } from '../../words/language.ts';

const texts = (count: number) => countText(count, { one: 'text', other: 'texts' });
const more = (count: number) => `Show ${numberText(count)} more`;
const examples = (count: number) => countText(count, { one: 'example', other: 'examples' });

/** Similarity, sorting and duplicates on the page Meaning. */
export const meaningListsWords = wordsFor('meaning/lists', {
  matrix: {
    about:
      'Cosine similarity of each two texts: near 1 where they say nearly the same, near 0 where they have nothing in common.',
    from: {
      chosen: (count: number) => `The ${texts(count)} chosen on the map`,
      found: (count: number) => `The best ${numberText(count)} hits`,
      first: (count: number) => `The first ${texts(count)}`,
    },
    label: 'Texts to compare',
    table: 'Similarity of texts',
    at: (row: number, column: number, value: string) => `${numberText(row)} and ${numberText(column)}: ${value}`,
    point: 'Point at a cell, or use the arrow keys in the table.',
    text: 'text',
    save: 'Save as CSV',
  },
  sort: {
    about: 'Give a few texts a category. The rest is sorted by what these examples mean.',
    column: 'Take categories from the column',
    noColumn: 'choose a column',
    category: 'New category',
    categoryHint: 'such as: delivery',
    add: 'Add',
    remove: (name: string) => `Remove ${name}`,
    categories: 'Categories',
    examples,
    undo: 'Undo',
    list: 'Texts',
    of: (text: string) => `Category of: ${text}`,
    none: 'no example',
    run: 'Sort all texts',
    running: 'Sorting …',
    needs:
      'Sorting needs at least two categories with one example each. With two or more examples in each, the accuracy is measured.',
    measuredSingly: (percent: string, count: number) =>
      `Measured accuracy: ${percent} %. Each of the ${examples(count)} was left out once and sorted by the others.`,
    measuredInParts: (percent: string, count: number, folds: number) =>
      `Measured accuracy: ${percent} %. The ${examples(count)} were split into ${numberText(folds)} parts, and each part was sorted by the others.`,
    frequent: (percent: string) => `Always choosing the most frequent category would reach ${percent} %.`,
    notMeasured: 'Not measured: a category has only one example, and each needs two or more.',
    stale: 'The examples have changed since. Sort again.',
    results: 'Sorted texts',
    show: 'Show',
    all: 'all categories',
    unsure: 'least certain first',
    certainty: (percent: string) => `${percent} %`,
    given: 'example',
    differs: (given: string) => `you said: ${given}`,
    columns: { text: 'text', category: 'category', probability: 'probability', example: 'given category' },
    save: 'Save as CSV',
    more,
  },
  duplicates: {
    about: 'Texts that are nearly the same, in groups.',
    least: 'How similar texts must be',
    leastText: (value: string) => `cosine of ${value} or more`,
    running: 'Comparing all texts',
    stop: 'Stop',
    none: (count: number) => `No near duplicates among ${texts(count)}.`,
    found: (groups: number, repeated: number) =>
      `${countText(groups, { one: 'group', other: 'groups' })}; ${texts(repeated)} ${repeated === 1 ? 'repeats' : 'repeat'} another.`,
    alike: (value: string) => `cosine ${value}`,
    stale: (count: number) => `Compare again with ${texts(count)}`,
    save: 'Save texts without repetitions (CSV)',
    text: 'text',
    more,
    members: (count: number) => `and ${texts(count)} more`,
  },
});

/** The map of the page Meaning. */
export const meaningMapWords = wordsFor('meaning/map', {
  canvas: (count: number) => `Map of ${texts(count)}`,
  keys: 'Arrow keys go from text to text, + and − zoom, 0 shows all, Enter chooses a text, Escape clears the choice. Drag to move; with the lasso, drag around texts.',
  method: 'Kind of map',
  methods: { umap: 'Neighbourhoods', pca: 'Main directions' },
  about: {
    umap: 'UMAP: texts that are close together are similar. Distances between far groups and the sizes of groups mean little.',
    pca: (percent: string | null) =>
      percent === null
        ? 'Principal components: the two directions in which the texts differ most.'
        : `Principal components: the two directions in which the texts differ most. They explain ${percent} % of the variance.`,
  },
  colour: 'Colour by',
  byGroup: 'group',
  groupCount: 'Number of groups',
  automatic: 'automatic',
  other: 'all others',
  noWords: 'no common words',
  legend: 'Groups and colours',
  choose: (name: string) => `Choose all of ${name}`,
  lasso: 'Lasso',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  all: 'Show all',
  drawing: 'Drawing the map',
  stop: 'Stop',
  redraw: (count: number) => `Draw again with ${texts(count)}`,
  pointAt: 'Point at a text, or use the arrow keys.',
  nearest: 'Most similar:',
  chosen: (count: number) => `${texts(count)} chosen`,
  list: 'All texts as a list',
  forget: 'Clear choice',
  undo: 'Undo',
  compare: 'Compare',
  compareFirst: (count: number) => `Compare the first ${numberText(count)}`,
  saveChosen: 'Save as CSV',
  more,
  columns: { text: 'text', group: 'group', x: 'x', y: 'y' },
});

/** The page that searches, draws and sorts many texts. */
export const meaningWords = wordsFor('meaning/page', {
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
    notOpened: (names: string) => `Not opened: ${names}. Open tables and other files one after the other.`,
    files: (count: number) => countText(count, { one: 'file', other: 'files' }),
    holds: (name: string, count: number) => `${name}: ${texts(count)}`,
    close: 'Remove',
  },
  reading: {
    start: (count: number) => `Read ${texts(count)}`,
    none: 'Read texts',
    stop: 'Stop',
    goOn: 'Continue',
    progress: (done: number, total: number) => `${numberText(done)} of ${texts(total)} read`,
    estimate: (count: number, time: string) => `${texts(count)}: about ${time} on this device.`,
    rule: (thousand: string, many: string) =>
      `This device reads 1,000 short texts in about ${thousand}, 20,000 in about ${many}. You can search while it reads.`,
    measuring: 'Measuring how fast this device reads …',
    left: (time: string) => `about ${time} left`,
    done: (count: number) => `${texts(count)} read.`,
    stopped: (done: number, total: number) =>
      `Stopped after ${numberText(done)} of ${texts(total)}. Search, map and lists use what was read.`,
    cut: (count: number) =>
      `${texts(count)} ${count === 1 ? 'is' : 'are'} longer than the model can read; only the beginning is used.`,
    leftOut: (count: number) =>
      `This page takes at most 20,000 texts. ${countText(count, { one: 'text was', other: 'texts were' })} not read.`,
    failed: 'The texts could not be read',
    tryAgain: 'Try again',
    bar: 'Texts read',
    seconds: (count: number) => countText(count, { one: 'second', other: 'seconds' }),
    minutes: (count: number) => countText(count, { one: 'minute', other: 'minutes' }),
  },
  empty: {
    title: 'Add your texts',
    sent: (host: string) =>
      `Comments, notes, answers, titles: up to 20,000 of them. Models at ${host} are sent the texts.`,
    lead: 'Comments, notes, answers, titles: up to 20,000 of them. They stay on this device.',
    steps: [
      'Paste or open your texts, or use the example.',
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
    none: 'No text matches. Try other words.',
    hint: 'Finds texts that mean the same in other words, and texts that share words.',
    found: (count: number, searched: number) =>
      `${count < searched ? `${numberText(count)} of ` : ''}${texts(searched)}, the best first`,
    soFar: (searched: number, total: number) => `${numberText(searched)} of ${texts(total)} searched so far`,
    share: 'Words or meaning',
    shareText: (percent: string) => `${percent} % meaning`,
    wordsOnly: 'words only',
    meaningOnly: 'meaning only',
    words: 'words',
    meaning: 'meaning',
    score: (score: string, meaning: string, words: string) => `Score ${score}: meaning ${meaning} + words ${words}`,
    shared: (list: string) => `Shared words: ${list}`,
    more,
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
});
