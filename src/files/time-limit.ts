/** Of a PDF: time to open it and to read its first page, and for each 2^20 bytes, s: it may have to be searched for its objects. */
const PDF_LIMIT = { startS: 6, perMebibyteS: 0.2 };

/** More time for each page that was read, s: about ten times what a page of text takes on a telephone. */
const PER_PAGE_S = 0.25;

/** Time between two looks at the clock, and the most that counts between two, s: a computer that sleeps does not use the time up. */
const [TICK_S, MAX_TICK_S] = [0.5, 3];

/**
 * Limits how long a file is read.
 *
 * @param bytes   of the file
 * @param ready   settles when the parser has loaded, which may take longer on a slow connection
 * @param onSlow  called once when the time is used up
 */
export function limitTime(
  bytes: number,
  ready: Promise<unknown>,
  onSlow: () => void,
  { startS, perMebibyteS } = PDF_LIMIT,
) {
  let left = startS + (bytes / 2 ** 20) * perMebibyteS;
  let timer: ReturnType<typeof setInterval> | null = null;
  let isOver = false;
  const stop = () => {
    isOver = true;
    if (timer !== null) clearInterval(timer);
  };
  let last = 0; // ms
  const tick = () => {
    const now = performance.now();
    left -= Math.min(MAX_TICK_S, (now - last) / 1000);
    last = now;
    if (left > 0) return;
    stop();
    onSlow();
  };
  ready.then(
    () => {
      last = performance.now();
      if (!isOver) timer = setInterval(tick, TICK_S * 1000);
    },
    () => undefined, // the file fails to open
  );
  return { pageRead: () => void (left += PER_PAGE_S), stop };
}
