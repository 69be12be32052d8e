import inlined from './held-out-scene.png?inline';
import type { Picture } from './question.ts';

/** The picture of the example, in the script that brings it: no request, so it is there when the network is not. */
export const EXAMPLE_PICTURE: Picture = {
  name: 'star, ring and house',
  type: 'image/png',
  data: inlined.slice(inlined.indexOf(',') + 1),
};
