import { useState } from 'react';
import { meaningMapWords } from '../../words/en/meaning/map.ts';
import { meaningWords } from '../../words/en/meaning/page.ts';
import type { Figure } from '../explain/export/figure/figure.ts';
import type { Typesetter } from '../explain/export/figure/typesetter.ts';
import { Button } from '../parts/buttons.tsx';
import { download } from '../parts/downloads.ts';
import page from './meaning-page.module.css';

/** See `SaveFigure`. */
export interface SaveFigureProps {
  /** Of the files, without an ending. */
  readonly name: string;
  /** Draws it; called when it is asked for. */
  readonly figure: (typesetter: Typesetter) => Promise<Figure>;
}

/** Pixels for each point, so that a print stays sharp. */
const PNG_SCALE = 2;

/** Saves a drawing as SVG or PNG; what writes it loads when it is asked for. */
export function SaveFigure({ name, figure }: SaveFigureProps) {
  const words = meaningMapWords();
  const [problem, setProblem] = useState<string | null>(null);
  const drawn = async () => {
    const { createPageTypesetter } = await import('../explain/export/figure/page-typesetter.ts');
    return figure(createPageTypesetter(document));
  };
  const svg = async () => {
    const { svgOf } = await import('../explain/export/writers/svg.ts');
    return new Blob([svgOf(await drawn())], { type: 'image/svg+xml' });
  };
  const png = async () => (await import('../explain/export/writers/raster.ts')).pngOf(await drawn(), PNG_SCALE);
  const save = async (format: 'svg' | 'png') => {
    try {
      download(`${name}.${format}`, await (format === 'svg' ? svg() : png()));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Button look="quiet" onClick={() => void save('svg')}>
        {words.svg}
      </Button>
      <Button look="quiet" onClick={() => void save('png')}>
        {words.png}
      </Button>
      {problem && (
        <span className={page.wrong} role="alert">
          {meaningWords().failed(problem)}
        </span>
      )}
    </>
  );
}
