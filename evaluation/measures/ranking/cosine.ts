/** Cosine of two vectors of one length, −1 to 1; NaN where one is all zeros, which is nobody's answer. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [both, first, second] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? NaN, b[index] ?? NaN];
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return both / Math.sqrt(first * second);
}
