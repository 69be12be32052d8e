/** A score with its sign, two decimals and a true minus, such as `+7.83`. */
export function natsText(score: number): string {
  const digits = Math.abs(score).toFixed(2);
  if (Number(digits) === 0) return '0.00';
  return (score > 0 ? '+' : '−') + digits;
}

/** A size in words, such as `7.83 nats`. */
export function natsSize(score: number): string {
  return `${Math.abs(score).toFixed(2)} nats`;
}

/**
 * How many times less likely the target becomes when its cross entropy rises by `nats`, as "about 2,500 times"; null
 * where the word would say more than the number does (below 1.2 times).
 */
export function timesText(nats: number): string | null {
  const times = Math.exp(Math.abs(nats));
  if (times < 1.2) return null;
  if (times > 1e6) return 'more than a million times';
  if (times < 10) return `about ${times.toFixed(1)} times`;
  return `about ${Number(times.toPrecision(2)).toLocaleString('en')} times`;
}
