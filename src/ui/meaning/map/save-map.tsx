import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { SaveFigure, type SaveFigureProps } from '../save-figure.tsx';
import { useCollected } from '../use-room.ts';
import type { ChosenProps } from './chosen.tsx';

/** Saves the whole map as a drawing. */
export function SaveMap({ drawn, colouring }: ChosenProps) {
  const words = meaningMapWords();
  const model = useCollected()?.model ?? '';
  const figure: SaveFigureProps['figure'] = async (typesetter) => {
    const { mapFigure } = await import('./map-figure.ts');
    const title = words.canvas(drawn.points.length / 2);
    const notes = [words.methods[drawn.method], model];
    return mapFigure({ title, points: drawn.points, colouring, other: words.other, notes, typesetter });
  };
  return <SaveFigure name="map" figure={figure} />;
}
