"""Vectors of the folded pieces, from how often they are near each other.

They are the leading singular vectors of positive pointwise mutual information.
"""

import numpy as np
import torch

WIDTH, WINDOW = 128, 5
BATCH = 400  # texts tokenised at a time


def count(texts, tokenizer, fold, classes):
    """Co-occurrences [classes, classes], and the number of texts that have a class, [classes].

    A co-occurrence weighs 1 / distance.
    """
    pairs, holders, texts = torch.zeros(classes * classes), np.zeros(classes), list(texts)
    for start in range(0, len(texts), BATCH):
        encoded = tokenizer.encode_batch_fast(texts[start : start + BATCH], add_special_tokens=False)
        rows = [fold[np.array(item.ids)] for item in encoded if item.ids]
        for row in rows:
            for part in np.array_split(row, max(1, len(row) // 150)):  # about a passage each
                holders[np.unique(part)] += 1
        flat = torch.from_numpy(np.concatenate(rows))
        for distance in range(1, WINDOW + 1):
            keys = flat[:-distance] * classes + flat[distance:]
            pairs.scatter_add_(0, keys, torch.full(keys.shape, 1.0 / distance))
    pairs = pairs.view(classes, classes)
    return pairs + pairs.T, holders


def information(pairs):
    """Shifted positive pointwise mutual information, context counts smoothed by the power 0.75."""
    rows = pairs.sum(1, keepdim=True).clamp(min=1.0)
    contexts = pairs.sum(0, keepdim=True).clamp(min=1.0) ** 0.75
    return pairs.mul_(contexts.sum()).div_(rows).div_(contexts).clamp_(min=1e-9).log_().clamp_(min=0.0)


def co_occurrence_vectors(texts, tokenizer, tables):
    """Unit-variance vectors [classes, WIDTH] and inverse document frequencies [classes], scaled to 0..1."""
    classes = int(tables["fold"].max()) + 1
    pairs, holders = count(texts, tokenizer, tables["fold"], classes)
    torch.manual_seed(0)
    left, values, _ = torch.svd_lowrank(information(pairs), q=WIDTH + 16, niter=3)
    vectors = left[:, :WIDTH] * values[:WIDTH].sqrt()
    vectors = vectors / vectors.norm(dim=1, keepdim=True).clamp(min=1e-6)
    parts = holders.max()
    weights = np.log((parts + 1) / (holders + 1)) / np.log(parts + 1)
    return vectors.numpy() * WIDTH**0.5, weights.astype(np.float32)
