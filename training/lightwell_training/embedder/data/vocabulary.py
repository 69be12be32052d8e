"""Chooses the words that the tokenizer takes whole, and says how common each is."""

import re
from collections import Counter

import numpy as np

WORDS = 56_000
WORD = re.compile(r" ?[^\W\d_]+|\d+")  # as the tokenizer cuts them, without marks
CHOSEN = re.compile(r"[a-zß-öø-ÿ]{1,18}|\d{1,4}")
RANK_OFFSET = 10  # Zipf's law: the word of rank r has a share like 1 / (r + RANK_OFFSET)


def count_words(texts):
    """How often each word stands in texts that were lowered."""
    counts = Counter()
    for text in texts:
        counts.update(word.lstrip() for word in WORD.findall(text))
    return counts


def zipf(size):
    """Shares of words by their rank, [size]; they add up to 1."""
    shares = 1 / (np.arange(size) + RANK_OFFSET)
    return shares / shares.sum()


def choose(counts, ranked, size=WORDS):
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
