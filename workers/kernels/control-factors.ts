import type { ItemPart, JobControl } from '../../src/protocol/prompt.ts';
import type { Span } from '../../src/contract/code-points.ts';
import { combined, factorsOnText, type PositionFactor } from './attention-control.ts';
import { factorsOnPicture, type SeenPicture } from './images/image-tiles.ts';

/** Where an item begins in the sequence, and what its positions stand for. */
export type PlacedItem =
  | { readonly type: 'text'; readonly first: number; readonly tokenized: { readonly spans: readonly Span[] } }
  | { readonly type: 'token_ids'; readonly first: number }
  | { readonly type: 'image'; readonly first: number; readonly seen: SeenPicture };

/** A part of one of several items, by the item's index. */
export interface Placed extends ItemPart {
  readonly item: number;
}

/** A control with the item that it is on. */
export interface ItemControl extends JobControl, Placed {}

/**
 * Factors that controls put on the positions of a sequence; several on one position multiply. A control that does not fit
 * its item, such as a rectangle on a text, has no effect.
 *
 * @returns positions that a control touches
 */
export function controlFactors(
  items: readonly PlacedItem[],
  controls: readonly ItemControl[],
): ReadonlyMap<number, number> {
  return combined(controls.flatMap((control) => factorsOf(items[control.item], control)));
}

function factorsOf(item: PlacedItem | undefined, { span, rect, index, factor, overlap }: JobControl): PositionFactor[] {
  if (item?.type === 'text')
    return span ? factorsOnText({ ...span, factor, overlap }, item.tokenized.spans, item.first) : [];
  if (item?.type === 'image') return rect ? factorsOnPicture({ ...rect, factor, overlap }, item.seen, item.first) : [];
  return item && index !== undefined ? [{ position: item.first + index, factor }] : [];
}
