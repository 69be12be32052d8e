import type { MapView, Size } from '../../../state/meaning/map/view.ts';

/** Room between two labels, in pixels. */
const GAP = 4;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Puts the labels of the layer above their anchors; one that would cover an earlier one, or leave the window, is hidden. */
export function placeLabels(
  layer: HTMLElement,
  anchors: readonly (readonly [x: number, y: number])[],
  view: MapView,
  { width, height }: Size,
): void {
  const taken: Box[] = [];
  const labels = [...layer.children].filter((child) => child instanceof HTMLElement);
  // All sizes are read before the first style is written, so that the page is laid out once.
  const sizes = labels.map(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight] as const);
  for (const [place, label] of labels.entries()) {
    const [x = 0, y = 0] = anchors[place] ?? [];
    const [ownWidth, ownHeight] = sizes[place] ?? [0, 0];
    const left = width / 2 + (x - view.x) * view.scale - ownWidth / 2;
    const top = height / 2 - (y - view.y) * view.scale - ownHeight / 2;
    const box = { left, top, right: left + ownWidth + GAP, bottom: top + ownHeight + GAP };
    const isSeen = left > 0 && top > 0 && left + ownWidth < width && top + ownHeight < height;
    const isFree = isSeen && taken.every((other) => !overlaps(box, other));
    label.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    label.style.opacity = isFree ? '1' : '0';
    if (isFree) taken.push(box);
  }
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
