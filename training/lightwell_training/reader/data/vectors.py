"""What is known of the words before the training: their public vectors, and how rare they are."""

import numpy as np

from lightwell_training.reader.data.words import spread

WIDTH = 100
UNKNOWN = 0.1  # standard deviation of the numbers of a class that is no word; those of a word have 1
BATCH = 400  # texts tokenised at a time
PART = 150  # pieces, about a passage


def rarity(texts, tokenizer, fold):
    """Inverse document frequencies [classes], scaled to 0..1; a document is a part of about PART pieces."""
    holders, parts, texts = np.zeros(int(fold.max()) + 1), 0, list(texts)
    for start in range(0, len(texts), BATCH):
        for item in tokenizer.encode_batch_fast(texts[start : start + BATCH], add_special_tokens=False):
            for part in np.array_split(fold[np.array(item.ids, np.int64)], max(1, len(item.ids) // PART)):
                holders[np.unique(part)] += 1
                parts += 1
    return (np.log((parts + 1) / (holders + 1)) / np.log(parts + 1)).astype(np.float32)


def known_vectors(texts, fold, public):
    """Vectors float32 [classes, WIDTH] of the classes; those of words have unit variance.

    `texts` are those of the pieces, `public` has `words` and `vectors` as corpora word-vectors writes them.
    """
    vectors = spread(public["vectors"].astype(np.float32)) * WIDTH**0.5
    place = {word: index for index, word in enumerate(public["words"].tolist())}
    found = np.random.default_rng(0).normal(0.0, UNKNOWN, (int(fold.max()) + 1, WIDTH)).astype(np.float32)
    for text, row in zip(texts, fold):
        at = place.get(text.strip().lower())
        if at is not None:
            found[row] = vectors[at]
    return found
