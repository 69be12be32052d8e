import { similarityCsv } from '../../../state/inside/export.ts';
import type { ExportedFile } from '../../explain/export/files.ts';
import { createPageTypesetter } from '../../explain/export/figure/page-typesetter.ts';
import { pngOf } from '../../explain/export/writers/raster.ts';
import { svgOf } from '../../explain/export/writers/svg.ts';
import { similarityFigure, type SimilarityFigureOptions } from './similarity-figure.ts';

/** Pixels for each point, so that a print stays sharp. */
const PNG_SCALE = 2;

/**
 * The chart as a file.
 *
 * @throws {DOMException} when the browser cannot draw it
 */
export async function chartFile(
  format: 'svg' | 'png' | 'csv',
  options: Omit<SimilarityFigureOptions, 'typesetter'>,
): Promise<ExportedFile> {
  const name = `similarity-by-layer.${format}`;
  if (format === 'csv') return { name, content: new Blob([similarityCsv(options.found)], { type: 'text/csv' }) };
  const figure = similarityFigure({ ...options, typesetter: createPageTypesetter(document) });
  if (format === 'png') return { name, content: await pngOf(figure, PNG_SCALE) };
  return { name, content: new Blob([svgOf(figure)], { type: 'image/svg+xml' }) };
}
