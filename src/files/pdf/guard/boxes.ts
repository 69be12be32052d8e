/** Left, lower, right and upper end, in units of the page. */
export type PageBox = readonly [left: number, bottom: number, right: number, top: number];

/** `[a, b, c, d, e, f]`. @source ISO 32000-1, section 8.3.3 */
export type Matrix = readonly [number, number, number, number, number, number];

export type PagePoint = readonly [x: number, y: number];

/** A place after a transformation. */
export function onPage([a, b, c, d, e, f]: Matrix, x: number, y: number): PagePoint {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The box of a rectangle after a transformation. */
export function boxOn(matrix: Matrix, [left, bottom, right, top]: PageBox): PageBox {
  const corners = [left, right].flatMap((x) => [bottom, top].map((y) => onPage(matrix, x, y)));
  return corners.map(([x, y]): PageBox => [x, y, x, y]).reduce(boxAround);
}

/** The smallest box around two. */
export function boxAround(one: PageBox, other: PageBox): PageBox {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

export function areaOf([left, bottom, right, top]: PageBox): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** With more room on each side. */
export function widened([left, bottom, right, top]: PageBox, by: number): PageBox {
  return [left - by, bottom - by, right + by, top + by];
}

/** What two boxes have in common; empty where its left end is right of its right one. */
export function commonBox(one: PageBox, other: PageBox): PageBox {
  return [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ];
}

/** Whether a place is in a box, or on its edge. */
export function isIn([left, bottom, right, top]: PageBox, [x, y]: PagePoint): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}
