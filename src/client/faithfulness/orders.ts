import type { PlacedSection } from './prompts/sections.ts';
import { drawsFrom } from './random.ts';

/** Scores by which sections are ordered; several where an order is drawn. */
export interface Order {
  readonly name: string;
  readonly draws: readonly (readonly number[])[];
}

/** Name of the order by what is lost when each section is deleted by itself. */
export const DELETION = 'deletion';

/** Names of the orders that know nothing of the model. */
export const CONTROLS = { random: 'random', last: 'last first', longest: 'longest first' } as const;

/** What an explanation must beat: chance, and what can be said without the model. */
export function controlOrders(sections: readonly PlacedSection[], draws: number, seed: number): Order[] {
  const random = drawsFrom(seed);
  return [
    { name: CONTROLS.random, draws: Array.from({ length: draws }, () => sections.map(() => random())) },
    { name: CONTROLS.last, draws: [sections.map((_, at) => at)] },
    { name: CONTROLS.longest, draws: [sections.map(sizeOf)] },
  ];
}

function sizeOf({ place }: PlacedSection): number {
  if (place.type === 'text') return place.length;
  return place.type === 'image' ? place.rect.width * place.rect.height : 1;
}
