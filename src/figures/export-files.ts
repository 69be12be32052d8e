import { recordText, scoresCsv, scoresJson } from '../explanations/export.ts';
import { barsFigure, matrixFigure } from './drawing/charts.ts';
import { contentOf, type FigureSource } from './drawing/content.ts';
import type { VectorFigure } from './drawing/figure.ts';
import { heatFigure, type HeatOptions, shareFigure } from './drawing/heat.ts';
import { createPageTypesetter } from './drawing/typesetter.ts';
import { htmlOf } from './writers/html.ts';
import { latexOf } from './writers/latex.ts';
import { greyPicture, pdfFileOf, pngOf } from './writers/raster.ts';
import { reportOf } from './writers/report.ts';
import { svgOf } from './writers/svg.ts';

/** What all files of a result are made from. The picture of the prompt is decoded once. */
export async function prepared(source: FigureSource): Promise<HeatOptions> {
  const { picture } = source.outcome.question;
  return {
    typesetter: createPageTypesetter(document),
    content: contentOf(source),
    picture: picture && (await greyPicture(picture)),
  };
}

/** The drawing of an artifact; null for one that is not drawn. */
export function figureOf(artifact: ExportArtifact, options: HeatOptions): VectorFigure | null {
  switch (artifact) {
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

/** An artifact as text; null in a binary format, and for a record that cannot be made. */
export function exportText(artifact: ExportArtifact, format: Format, options: HeatOptions): string | null {
  const { content, picture } = options;
  const { outcome, model, recording } = content;
  switch (format) {
    case 'svg': {
      const figure = figureOf(artifact, options);
      return figure && svgOf(figure);
    }
    case 'html':
      return artifact === 'report' ? reportOf(options) : htmlOf(content, picture);
    case 'tex':
      return latexOf(content);
    case 'csv':
      return scoresCsv(outcome, model);
    case 'json':
      if (artifact === 'record') return recording ? recordText(outcome, model, recording) : null;
      return scoresJson(outcome, model);
    case 'png':
    case 'pdf':
      return null;
  }
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

/**
 * An artifact as a file.
 *
 * @throws {TypeError} when it has no drawing to save in the format
 * @throws {DOMException} when the browser cannot draw it
 */
export async function exportFile(
  artifact: ExportArtifact,
  format: Format,
  options: HeatOptions,
): Promise<ExportedFile> {
  const name = `${ARTIFACT_FORMATS[artifact].file}.${format}`;
  const text = exportText(artifact, format, options);
  if (text !== null) return { name, content: new Blob([text], { type: MEDIA_TYPES[format] }) };
  const figure = figureOf(artifact, options);
  if (!figure) throw new TypeError(`expected a drawing to save as ${format}, got ${artifact}`);
  if (format === 'pdf') return { name, content: await pdfFileOf(figure) };
  return { name, content: await pngOf(figure, artifact === 'share' ? 1 : undefined) }; // sites expect its size
}

/** What can be saved of a result. */
export type ExportArtifact = 'heat' | 'bars' | 'matrix' | 'numbers' | 'record' | 'report' | 'share';

/** Kinds of files. */
export type Format = 'svg' | 'png' | 'pdf' | 'html' | 'tex' | 'csv' | 'json';

/** Everything that can be saved: the name of its file, without the ending, and its formats. */
export const ARTIFACT_FORMATS: Readonly<
  Record<ExportArtifact, { readonly file: string; readonly formats: readonly [Format, ...Format[]] }>
> = {
  heat: { file: 'heat-map', formats: ['svg', 'png', 'pdf', 'html', 'tex'] },
  bars: { file: 'strongest-sections', formats: ['svg', 'png', 'pdf'] },
  matrix: { file: 'by-target-word', formats: ['svg', 'png', 'pdf'] },
  numbers: { file: 'scores', formats: ['csv', 'json'] },
  record: { file: 'record', formats: ['json'] },
  report: { file: 'report', formats: ['html'] },
  share: { file: 'share', formats: ['png'] },
};

/** In the order of the dialog. */
export const EXPORT_ARTIFACTS = Object.keys(ARTIFACT_FORMATS) as readonly ExportArtifact[]; // `Object.keys` forgets the names

/** Names of the formats, the same in every language. */
export const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  svg: 'SVG',
  png: 'PNG',
  pdf: 'PDF',
  html: 'HTML',
  tex: 'LaTeX',
  csv: 'CSV',
  json: 'JSON',
};
