/** How strongly a repetition is penalised; 0: not at all. */
export interface Penalty {
  readonly strength: number;
  /** true: a score is divided by 1 + strength (multiplied where it is negative); false: the strength is subtracted. */
  readonly isMultiplicative: boolean;
}

/** Penalties on tokens that were read or written before. */
export interface Penalties {
  /** Once for each token that was there. */
  readonly presence: Penalty;
  /** Times how often it was there. */
  readonly frequency: Penalty;
  /** On a token that would go on repeating a sequence of at least `sequenceLength` tokens. */
  readonly sequence: Penalty;
  /** At least 2. */
  readonly sequenceLength: number;
}

/** What there was before the token that is to be chosen. */
export interface History {
  /** In order. */
  readonly ids: readonly number[];
  /** Ids that count as having been there, apart from any order. */
  readonly besides: readonly number[];
  /** Ids that no penalty touches. */
  readonly exceptions: ReadonlySet<number>;
}

/** Whether any of them changes a score. */
export function arePenalties({ presence, frequency, sequence }: Penalties): boolean {
  return [presence, frequency, sequence].some(({ strength }) => strength !== 0);
}

/**
 * Applies penalties to the scores in place. The service publishes what the fields mean, but no formula of the multiplicative
 * form; that of Keskar et al. stands in for it.
 *
 * @param logits  `[vocabulary]`
 * @source the hosted service's public client, `CompletionRequest`; Keskar et al. 2019 (CTRL, arXiv:1909.05858), section 4.1
 */
export function penalise(
  logits: Float32Array,
  { presence, frequency, sequence, sequenceLength }: Penalties,
  { ids, besides, exceptions }: History,
): void {
  const counts = new Map<number, number>();
  for (const id of [...ids, ...besides]) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    if (exceptions.has(id) || id >= logits.length) continue;
    lower(logits, id, presence, 1);
    lower(logits, id, frequency, count);
  }
  if (sequence.strength === 0) return;
  for (const id of repeating(ids, sequenceLength)) if (!exceptions.has(id)) lower(logits, id, sequence, 1);
}

function lower(logits: Float32Array, id: number, { strength, isMultiplicative }: Penalty, times: number): void {
  const logit = logits[id] ?? -Infinity;
  const factor = 1 + strength * times;
  if (!isMultiplicative) logits[id] = logit - strength * times;
  else logits[id] = logit > 0 ? logit / factor : logit * factor;
}

/** Ids that would end a sequence of `length` which stands in `ids` already. */
function repeating(ids: readonly number[], length: number): ReadonlySet<number> {
  const own = length - 1;
  const found = new Set<number>();
  const last = ids.length - own;
  for (let start = 0; start + own < ids.length; start++) {
    let same = 0;
    while (same < own && ids[start + same] === ids[last + same]) same++;
    const next = ids[start + own];
    if (same === own && last >= 0 && next !== undefined) found.add(next);
  }
  return found;
}
