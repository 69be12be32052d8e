/** Numbers in [0, 1), the same for the same seed. @source xorshift32, Marsaglia 2003 */
export function drawsFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1; // never 0, which stays 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
