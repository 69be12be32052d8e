import { recordText, scoresCsv, scoresJson } from '../explanations/export.ts';
import { barsFigure, matrixFigure } from './drawing/charts.ts';
import { contentOf, type FigureSource } from './drawing/content.ts';
import { heatFigure, type HeatOptions, shareFigure } from './drawing/heat.ts';
import { createPageTypesetter } from './drawing/typesetter.ts';
import { htmlOf, reportOf } from './writers/html.ts';
import { latexOf } from './writers/latex.ts';
import { printFigure } from './writers/print.ts';
import { greyPicture, pngOf, svgOf } from './writers/svg.ts';

/** What all files of a result are made from. The picture of the prompt is decoded once. */
export async function prepared(source: FigureSource): Promise<HeatOptions> {
  const { picture } = source.outcome.question;
  return {
    typesetter: createPageTypesetter(document),
    content: contentOf(source),
    picture: picture && (await greyPicture(picture)),
  };
}

/** What can be saved of a result, in the order of the dialog: the name of its file, without the ending, its formats, and its drawing. */
export const ARTIFACTS = {
  heat: { file: 'heat-map', formats: ['svg', 'png', 'pdf', 'html', 'tex'], draw: heatFigure },
  bars: { file: 'strongest-sections', formats: ['svg', 'png', 'pdf'], draw: barsFigure },
  matrix: { file: 'by-target-word', formats: ['svg', 'png', 'pdf'], draw: matrixFigure },
  numbers: { file: 'scores', formats: ['csv', 'json'], draw: null },
  record: { file: 'record', formats: ['json'], draw: null },
  report: { file: 'report', formats: ['html'], draw: null },
  share: { file: 'share', formats: ['png'], draw: shareFigure },
} as const satisfies Readonly<Record<string, { file: string; formats: readonly Format[]; draw: unknown }>>;
type Artifact = keyof typeof ARTIFACTS;

/** Kinds of files: their names, the same in every language, and media types. */
export const FORMATS = {
  svg: { name: 'SVG', type: 'image/svg+xml' },
  png: { name: 'PNG', type: 'image/png' },
  pdf: { name: 'PDF' }, // which the browser's print dialog writes
  html: { name: 'HTML', type: 'text/html' },
  tex: { name: 'LaTeX', type: 'text/x-tex' },
  csv: { name: 'CSV', type: 'text/csv' },
  json: { name: 'JSON', type: 'application/json' },
} as const;
type Format = keyof typeof FORMATS;

/** The drawing of an artifact; null for one that is not drawn. */
export function figureOf(artifact: Artifact, options: HeatOptions) {
  return ARTIFACTS[artifact].draw?.(options) ?? null;
}

/** An artifact as text; null in a binary format, and for a record that cannot be made. */
export function exportText(artifact: Artifact, format: Format, options: HeatOptions): string | null {
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

/** A file to save. */
export interface ExportedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Makes a file. @throws {TypeError} without a drawing for the format @throws {DOMException} when the browser cannot draw it */
export async function exportFile(
  artifact: Artifact,
  format: Exclude<Format, 'pdf'>,
  options: HeatOptions,
): Promise<ExportedFile> {
  const name = `${ARTIFACTS[artifact].file}.${format}`;
  const text = exportText(artifact, format, options);
  if (text !== null) return { name, content: new Blob([text], FORMATS[format]) };
  return { name, content: await pngOf(drawnFigure(artifact, options), artifact === 'share' ? 1 : undefined) }; // sites expect its size
}

/** Opens the dialog that saves a drawing as PDF. @throws {TypeError} without a drawing @throws {DOMException} as `exportFile` */
export function printArtifact(artifact: Artifact, options: HeatOptions): Promise<void> {
  return printFigure(drawnFigure(artifact, options), ARTIFACTS[artifact].file);
}

function drawnFigure(artifact: Artifact, options: HeatOptions) {
  const figure = figureOf(artifact, options);
  if (!figure) throw new TypeError(`expected something that is drawn, got ${artifact}`);
  return figure;
}
