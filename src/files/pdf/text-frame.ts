/** A line of text is read along an angle; these are its coordinates, in 72nds of an inch. */
export interface TextPlace {
  /** Direction of the text in degrees anticlockwise, 0 … 359, to the nearest whole one. */
  readonly angle: number;
  /** From the start of the text in its direction. */
  readonly left: number;
  /** Height of the baseline above that direction's axis. */
  readonly y: number;
}

/** Place of a text by its matrix `[a, b, c, d, e, f]`; vertical writing goes down. @source ISO 32000-1, section 9.4.4 */
export function placeOf(transform: readonly unknown[], isVertical: boolean): TextPlace {
  const [a = 1, b = 0, , , e = 0, f = 0] = transform.map(Number);
  const own = (Math.atan2(b, a) * 180) / Math.PI - (isVertical ? 90 : 0);
  const angle = (Math.round(own) + 720) % 360;
  const [along, up] = turned(e, f, -angle);
  return { angle, left: along, y: up };
}

/** A point after a turn about the origin, degrees anticlockwise. */
export function turned(x: number, y: number, degrees: number): [x: number, y: number] {
  const [sine, cosine] = [sineOf(degrees), sineOf(degrees + 90)];
  return [x * cosine - y * sine, x * sine + y * cosine];
}

/** Exact for right angles. */
function sineOf(degrees: number): number {
  const quarter = (((degrees / 90) % 4) + 4) % 4;
  return Number.isInteger(quarter) ? ([0, 1, 0, -1][quarter] ?? 0) : Math.sin((degrees * Math.PI) / 180);
}
