"""Interpolated 3-gram baseline.

Uniform, unigram, bigram and trigram estimates are mixed by weights that depend on how often the context was seen.
"""

import numpy as np

VOCABULARY = 4096
BUCKETS = 12


class Counts:
    """Counts of keys and of their contexts (the key without its last token)."""

    def __init__(self, keys):
        self.keys, self.counts = np.unique(keys, return_counts=True)
        edges = np.flatnonzero(np.diff(self.keys // VOCABULARY, prepend=-1))
        self.contexts = self.keys[edges] // VOCABULARY
        self.totals = np.add.reduceat(self.counts, edges)

    @staticmethod
    def look_up(sorted_keys, counts, wanted):
        places = np.minimum(np.searchsorted(sorted_keys, wanted), len(sorted_keys) - 1)
        return np.where(sorted_keys[places] == wanted, counts[places], 0)

    def estimate(self, keys):
        """Relative frequency of each key in its context, and the context's count."""
        totals = self.look_up(self.contexts, self.totals, keys // VOCABULARY)
        return self.look_up(self.keys, self.counts, keys) / np.maximum(totals, 1), totals


def bigrams(ids):
    """One key per pair of neighbours: int64 ids [tokens] to keys [tokens - 1]."""
    return ids[:-1] * VOCABULARY + ids[1:]


def trigrams(ids):
    """One key per three neighbours: int64 ids [tokens] to keys [tokens - 2]."""
    return bigrams(ids)[:-1] * VOCABULARY + ids[2:]


class Trigram:
    """Baseline trained on streams of token ids.

    `tune` sets the mixing weights on other text by expectation maximisation (Jelinek-Mercer).
    """

    def __init__(self, streams):
        streams = [np.asarray(stream, dtype=np.int64) for stream in streams]
        self.unigram = np.bincount(np.concatenate(streams), minlength=VOCABULARY) + 0.1
        self.unigram = self.unigram / self.unigram.sum()
        self.pairs = Counts(np.concatenate([bigrams(stream) for stream in streams]))
        self.triples = Counts(np.concatenate([trigrams(stream) for stream in streams]))
        self.weights = np.full((BUCKETS, 4), 0.25)

    def estimates(self, ids):
        """The four estimates of each of ids[2:], [tokens - 2, 4], and the bucket of its context."""
        ids = np.asarray(ids, dtype=np.int64)
        second, _ = self.pairs.estimate(bigrams(ids)[1:])
        third, seen = self.triples.estimate(trigrams(ids))
        uniform = np.full(len(third), 1.0 / VOCABULARY)
        bucket = np.minimum(np.ceil(np.log2(seen + 1)).astype(int), BUCKETS - 1)
        return np.stack([uniform, self.unigram[ids[2:]], second, third], axis=1), bucket

    def tune(self, ids, rounds=30):
        """Fits the weights to `ids`, which neither trained the counts nor will be measured."""
        estimates, bucket = self.estimates(ids)
        self.weights[:] = 0.25
        for _ in range(rounds):
            shares = estimates * self.weights[bucket]
            shares /= shares.sum(axis=1, keepdims=True)
            sums = (
                np.stack(
                    [np.bincount(bucket, weights=shares[:, column], minlength=BUCKETS) for column in range(4)], axis=1
                )
                + 0.1
            )
            self.weights = sums / sums.sum(axis=1, keepdims=True)

    def losses(self, ids):
        """Negative log-likelihood in nats of ids[2:], float64 [tokens - 2]."""
        estimates, bucket = self.estimates(ids)
        return -np.log((estimates * self.weights[bucket]).sum(axis=1))
