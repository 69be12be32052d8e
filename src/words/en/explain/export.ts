import { wordsOf } from '../../spoken.ts';

/** The dialog that saves and shares a result. */
export const EXPORT = {
  title: 'Save or share',
  close: 'Close',
  what: 'What to save',
  format: 'Format',
  cannotDraw: 'The browser could not draw this result.',
  things: {
    heat: {
      label: 'Heat map',
      about: 'The prompt in the colours of its influence, with headline, target, model and settings.',
    },
    bars: {
      label: 'Bars',
      about: 'The strongest sections as bars, with headline, prompt, target, model and settings.',
    },
    matrix: {
      label: 'By target word',
      about: 'The strongest sections by target word, with headline, prompt, target, model and settings.',
    },
    numbers: {
      label: 'Numbers',
      about: 'All scores with the settings. JSON also has the prompt, and can be sent to the API again.',
    },
    record: {
      label: 'Record',
      about:
        'Prompt, settings, scores, model files and engine, so that others can compute the scores again: dropped on this page, or with “lightwell verify”.',
    },
    report: {
      label: 'Report',
      about: 'One page with all figures, tables and settings. It opens in any browser, also without a network.',
    },
    share: { label: 'Share picture', about: 'Headline and heat map on 1200 × 630 pixels, for a post or a slide.' },
  },
  formats: {
    svg: 'Sharp at any size; for web pages and slides.',
    png: 'A picture that opens everywhere.',
    pdf: 'For papers. Text can be searched and copied.',
    html: 'No script, no network.',
    tex: 'Coloured boxes; the document needs the package xcolor.',
    csv: 'For spreadsheets and scripts.',
    json: 'Request and response, as the API has them.',
  },
  save: (format: string) => `Save ${format}`,
  copy: (format: string) => `Copy ${format}`,
  drawing: 'Drawing …',
  saved: (name: string) => `Saved ${name}`,
  failed: (why: string) => `The browser could not draw this file: ${why}`,
  preview: 'Preview',
  link: {
    label: 'Link',
    about:
      'A link that opens Lightwell with these settings. It holds prompt and target only if you add them: whoever gets the link, and every program that it passes through, can read what is in it.',
    text: 'Include prompt and target',
    picture: 'Include the picture',
    pictureTooLarge: 'Include the picture (too large for a link)',
    copy: 'Copy link',
  },
};

/** See `EXPORT`. */
export const exportWords = wordsOf('explain/export', EXPORT);
