/**
 * Length of a stretch in ms: parts of a text that come as fast as screens are drawn are as good as tokens one by one, and a
 * small network would spend a tenth of its time on a message and a turn for each token.
 */
const STRETCH_MS = 16;

/** @returns whether a stretch is over, asked after each token; the first is one by itself, so that a text is seen to begin */
export function createStretches(now: () => number): () => boolean {
  let beganMs = -Infinity;
  return () => {
    const nowMs = now();
    if (nowMs - beganMs < STRETCH_MS) return false;
    beganMs = nowMs;
    return true;
  };
}
