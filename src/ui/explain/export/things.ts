/** What can be saved of a result. */
export type Thing = 'heat' | 'bars' | 'matrix' | 'numbers' | 'record' | 'report' | 'share';

/** Kinds of files. */
export type Format = 'svg' | 'png' | 'pdf' | 'html' | 'tex' | 'csv' | 'json';

/** How a thing is offered. */
export interface Offer {
  /** Name of its file, without the ending. */
  readonly file: string;
  readonly formats: readonly [Format, ...Format[]];
}

/** Everything that can be saved. */
export const OFFERS: Readonly<Record<Thing, Offer>> = {
  heat: { file: 'heat-map', formats: ['svg', 'png', 'pdf', 'html', 'tex'] },
  bars: { file: 'strongest-sections', formats: ['svg', 'png', 'pdf'] },
  matrix: { file: 'by-target-word', formats: ['svg', 'png', 'pdf'] },
  numbers: { file: 'scores', formats: ['csv', 'json'] },
  record: { file: 'record', formats: ['json'] },
  report: { file: 'report', formats: ['html'] },
  share: { file: 'share', formats: ['png'] },
};

/** In the order of the dialog. */
export const THINGS = Object.keys(OFFERS) as readonly Thing[]; // `Object.keys` forgets the names

/** Names of the formats, the same in every language. */
export const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  ...{ svg: 'SVG', png: 'PNG', pdf: 'PDF' },
  ...{ html: 'HTML', tex: 'LaTeX', csv: 'CSV', json: 'JSON' },
};
