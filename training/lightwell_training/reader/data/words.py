"""Words that the tokenizer takes whole: which they are, how common, how they are written, and their public vectors."""

import json
import re
from collections import Counter

import numpy as np
from tokenizers import Tokenizer, pre_tokenizers

CHOSEN = re.compile(r"[a-zß-öø-ÿ]{1,18}|\d{1,4}")
RANK_OFFSET = 10  # Zipf's law: the word of rank r has a share like 1 / (r + RANK_OFFSET)
PLAIN_COMPONENTS = 3  # of the vectors, which only tell how common a word is
FREQUENT = 30_000  # words whose components are taken


def bytes_of(word):
    """A word as byte-level BPE writes it."""
    return "".join(piece for piece, _ in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(word))


def add_pieces(fallback, added):
    """The tokenizer that takes each of `added`, written as byte-level BPE writes them, whole.

    `ignore_merges` of the BPE model does that: what stands in the vocabulary needs no merges.
    """
    stored = json.loads(fallback.to_str())
    pieces = stored["model"]["vocab"]
    for piece in added:
        pieces.setdefault(piece, len(pieces))
    stored["model"]["ignore_merges"] = True
    return Tokenizer.from_str(json.dumps(stored))


def zipf(size):
    """Shares of words by their rank, [size]; they add up to 1."""
    shares = 1 / (np.arange(size) + RANK_OFFSET)
    return shares / shares.sum()


def choose(counts, ranked, size):
    """The `size` most common words, the most common first.

    Half of a word's share is how often the training texts have it, half is its rank among the words of the vectors, so
    that words of other domains are known too.
    """
    shares = Counter(dict(zip(ranked, zipf(len(ranked)).tolist())))
    total = sum(counts.values())
    for word, count in counts.items():
        shares[word] += count / total
    known = (word for word, _ in shares.most_common() if CHOSEN.fullmatch(word))
    return [word for word, _ in zip(known, range(size))]


def spread(vectors):
    """Unit vectors without their mean and first components, [words, WIDTH].

    What is left out is common to all words, and says nothing of what they mean (Mu and Viswanath 2018).
    """
    shares = np.sqrt(zipf(len(vectors)))[:, None]
    centred = vectors - (vectors * shares).sum(0) / shares.sum()
    turn = np.linalg.svd(centred[:FREQUENT], full_matrices=False)[2]
    rest = centred - centred @ turn[:PLAIN_COMPONENTS].T @ turn[:PLAIN_COMPONENTS]
    return rest / (np.linalg.norm(rest, axis=1, keepdims=True) + 1e-9)
