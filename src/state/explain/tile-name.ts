import type { Tile } from './influence.ts';

/** What a tile is called: `row 3, column 5`, counted from 1; a picture that is not cut is `the picture`. */
export function tileName({ rect: { left, top, width, height } }: Pick<Tile, 'rect'>): string {
  if (width === 1 && height === 1) return 'the picture';
  return `row ${Math.round(top / height) + 1}, column ${Math.round(left / width) + 1}`;
}
