import { countText, numberText } from '../../numbers.ts';
import { wordsOf } from '../../spoken.ts';

const texts = (count: number) => countText(count, { one: 'text', other: 'texts' });

/** The map of the page Meaning. */
export const MEANING_MAP = {
  canvas: (count: number) => `Map of ${texts(count)}`,
  keys: 'Arrow keys go from text to text, + and − zoom, 0 shows all, Enter chooses a text, Escape forgets the choice. Drag to move; with the lasso, drag around texts.',
  method: 'Kind of map',
  methods: { umap: 'Neighbourhoods', pca: 'Main directions' },
  about: {
    umap: 'UMAP: near texts are alike. Distances between far groups and the sizes of groups mean little.',
    pca: (percent: string | null) =>
      percent === null
        ? 'Principal components: the two directions in which the texts differ most.'
        : `Principal components: the two directions in which the texts differ most. They hold ${percent} % of all differences.`,
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
  nearest: 'Most alike:',
  chosen: (count: number) => `${texts(count)} chosen`,
  list: 'All texts as a list',
  forget: 'Clear choice',
  undo: 'Undo',
  compare: 'Compare them',
  compareFirst: (count: number) => `Compare the first ${numberText(count)}`,
  saveChosen: 'Save as CSV',
  more: (count: number) => `Show ${numberText(count)} more`,
  svg: 'Save SVG',
  png: 'Save PNG',
  columns: { text: 'text', group: 'group', x: 'x', y: 'y' },
};

/** See `MEANING_MAP`. */
export const meaningMapWords = wordsOf('meaning/map', MEANING_MAP);
