import { csvOf, jsonOf } from '../../../state/explain/export.ts';
import { recordText } from '../../../state/variations/recording.ts';
import { barsFigure } from './figure/bars.ts';
import { type Content, contentOf, type Source } from './figure/content.ts';
import type { Figure } from './figure/figure.ts';
import { heatFigure, type HeatOptions } from './figure/heat.ts';
import { matrixFigure } from './figure/matrix.ts';
import { createPageTypesetter } from './figure/page-typesetter.ts';
import { shareFigure } from './figure/share-picture.ts';
import { type Format, OFFERS, type Thing } from './things.ts';
import { htmlOf } from './writers/html.ts';
import { latexOf } from './writers/latex.ts';
import { greyPicture, pdfFileOf, pngOf } from './writers/raster.ts';
import { reportOf } from './writers/report.ts';
import { svgOf } from './writers/svg.ts';

/** What all files of a result are made of. The picture of the prompt is decoded once. */
export async function prepared(source: Source): Promise<HeatOptions> {
  const { picture } = source.outcome.question;
  return {
    typesetter: createPageTypesetter(document),
    content: contentOf(source),
    picture: picture && (await greyPicture(picture)),
  };
}

/** The drawing of a thing; null for one that is none. */
export function figureOf(thing: Thing, options: HeatOptions): Figure | null {
  switch (thing) {
    case 'heat':
      return heatFigure(options);
    case 'bars':
      return barsFigure(options);
    case 'matrix':
      return matrixFigure(options);
    case 'share':
      return shareFigure(options);
    case 'numbers':
    case 'record':
    case 'report':
      return null;
  }
}

/** A thing as text; null in a format that is none. */
export function textOf(thing: Thing, format: Format, options: HeatOptions): string | null {
  const { content, picture } = options;
  switch (format) {
    case 'svg': {
      const figure = figureOf(thing, options);
      return figure && svgOf(figure);
    }
    case 'html':
      return thing === 'report' ? reportOf(options) : htmlOf(content, picture);
    case 'tex':
      return latexOf(content);
    case 'csv':
      return csvOf(content.outcome, content.model);
    case 'json':
      return thing === 'record' ? recordOf(content) : jsonOf(content.outcome, content.model);
    case 'png':
    case 'pdf':
      return null;
  }
}

function recordOf({ outcome, model, recording }: Content): string | null {
  return recording ? recordText(outcome, model, recording) : null;
}

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  html: 'text/html',
  tex: 'text/x-tex',
  csv: 'text/csv',
  json: 'application/json',
};

/** A file to save. */
export interface ExportedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Pixels for each point, so that a print stays sharp. */
const PNG_SCALE = 2;

/**
 * A thing as a file.
 *
 * @throws {DOMException} when the browser cannot draw it
 */
export async function fileOf(thing: Thing, format: Format, options: HeatOptions): Promise<ExportedFile> {
  return { name: `${OFFERS[thing].file}.${format}`, content: await contentOfFile(thing, format, options) };
}

async function contentOfFile(thing: Thing, format: Format, options: HeatOptions): Promise<Blob> {
  const text = textOf(thing, format, options);
  if (text !== null) return new Blob([text], { type: MEDIA_TYPES[format] });
  const figure = figureOf(thing, options);
  if (!figure) throw new TypeError(`expected a drawing to save as ${format}, got ${thing}`);
  // The share picture has the size that sites ask for.
  return format === 'pdf' ? pdfFileOf(figure) : pngOf(figure, thing === 'share' ? 1 : PNG_SCALE);
}
