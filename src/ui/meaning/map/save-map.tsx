import { useState } from 'react';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { useCollected } from '../use-room.ts';
import type { ChosenProps } from './chosen.tsx';
import page from '../meaning-page.module.css';

/** Pixels for each point, so that a print stays sharp. */
const PNG_SCALE = 2;

/** Saves the whole map as a drawing; what draws it loads when it is asked for. */
export function SaveMap({ drawn, colouring }: ChosenProps) {
  const words = meaningMapWords();
  const model = useCollected()?.model ?? '';
  const [problem, setProblem] = useState<string | null>(null);
  const figure = async () => {
    const [{ mapFigure }, { createPageTypesetter }] = await Promise.all([
      import('./map-figure.ts'),
      import('../../explain/export/figure/page-typesetter.ts'),
    ]);
    const title = words.canvas(drawn.points.length / 2);
    const notes = [words.methods[drawn.method], model];
    const typesetter = createPageTypesetter(document);
    return mapFigure({ title, points: drawn.points, colouring, other: words.other, notes, typesetter });
  };
  const save = async (format: 'svg' | 'png') => {
    try {
      download(`map.${format}`, await (format === 'svg' ? svg() : png()));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const svg = async () => {
    const { svgOf } = await import('../../explain/export/writers/svg.ts');
    return new Blob([svgOf(await figure())], { type: 'image/svg+xml' });
  };
  const png = async () => (await import('../../explain/export/writers/raster.ts')).pngOf(await figure(), PNG_SCALE);
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
