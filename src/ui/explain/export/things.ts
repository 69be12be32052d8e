import type { Option } from '../../parts/fields/choice.tsx';

/** What can be saved of a result. */
export type Thing = 'heat' | 'bars' | 'matrix' | 'numbers' | 'report' | 'share';

/** Kinds of files. */
export type Format = 'svg' | 'png' | 'pdf' | 'html' | 'tex' | 'csv' | 'json';

/** How a thing is offered. */
export interface Offer {
  /** Name of its file, without the ending. */
  readonly file: string;
  readonly label: string;
  readonly about: string;
  readonly formats: readonly [Format, ...Format[]];
}

/** Everything that can be saved, in the order of the dialog. */
export const OFFERS: Readonly<Record<Thing, Offer>> = {
  heat: {
    file: 'heat-map',
    label: 'Heat map',
    about: 'The prompt in the colours of its influence, with headline, target, model and settings.',
    formats: ['svg', 'png', 'pdf', 'html', 'tex'],
  },
  bars: {
    file: 'strongest-sections',
    label: 'Bars',
    about: 'The strongest sections as bars, with headline, prompt, target, model and settings.',
    formats: ['svg', 'png', 'pdf'],
  },
  matrix: {
    file: 'by-target-word',
    label: 'By target word',
    about: 'The strongest sections by target word, with headline, prompt, target, model and settings.',
    formats: ['svg', 'png', 'pdf'],
  },
  numbers: {
    file: 'scores',
    label: 'Numbers',
    about: 'All scores with the settings. JSON also has the prompt, and can be sent to the API again.',
    formats: ['csv', 'json'],
  },
  report: {
    file: 'report',
    label: 'Report',
    about: 'One page with all figures, tables and settings. It opens in any browser, also without a network.',
    formats: ['html'],
  },
  share: {
    file: 'share',
    label: 'Share picture',
    about: 'Headline and heat map on 1200 × 630 pixels, for a post or a slide.',
    formats: ['png'],
  },
};

/** What a format is for. */
export const FORMATS: Readonly<Record<Format, { readonly label: string; readonly about: string }>> = {
  svg: { label: 'SVG', about: 'Sharp at any size; for web pages and slides.' },
  png: { label: 'PNG', about: 'A picture that opens everywhere.' },
  pdf: { label: 'PDF', about: 'For papers. Text can be searched and copied.' },
  html: { label: 'HTML', about: 'No script, no network.' },
  tex: { label: 'LaTeX', about: 'Coloured boxes; the document needs the package xcolor.' },
  csv: { label: 'CSV', about: 'For spreadsheets and scripts.' },
  json: { label: 'JSON', about: 'Request and response, as the API has them.' },
};

/** Things to choose from. */
export const THING_OPTIONS: readonly Option<Thing>[] = (Object.keys(OFFERS) as Thing[]).map((value) => ({
  value,
  label: OFFERS[value].label,
}));

/** Formats of a thing to choose from. */
export function formatOptions(thing: Thing): Option<Format>[] {
  return OFFERS[thing].formats.map((value) => ({ value, label: FORMATS[value].label }));
}
