import inlined from './held-out-scene.png?inline';
import type { Picture } from './question.ts';

/** The picture of the example, inlined in the script, so that it works offline. */
export const EXAMPLE_PICTURE: Picture = {
  name: 'star, ring and house',
  type: 'image/png',
  data: inlined.slice(inlined.indexOf(',') + 1),
};
