"""Vectors of texts by the network in torch."""

import numpy as np
import torch

from lightwell_training.embedder.terms import REPRESENTATIONS
from lightwell_training.trunk.vocabulary import SEP_ID

BATCH = 32


def token_rows(tokenizer, lines, representation, longest):
    """Ids of each text in its frame, the representation's token first; longer ones are cut to `longest` ids."""
    lines = [REPRESENTATIONS[representation] + line for line in lines]
    rows = [encoded.ids for encoded in tokenizer.encode_batch_fast(lines)]
    return [row if len(row) <= longest else [*row[: longest - 1], SEP_ID] for row in rows]


def padded(rows):
    """Ids and mask int64 [texts, tokens] of lists of ids."""
    lengths = np.array([len(row) for row in rows])
    ids = np.zeros((len(rows), lengths.max()), np.int64)
    for row, values in zip(ids, rows):
        row[: len(values)] = values
    return ids, (np.arange(ids.shape[1])[None] < lengths[:, None]).astype(np.int64)


def in_batches(rows, run):
    """Vectors float32 [texts, size] that `run` makes of ids and mask, texts of similar length at a time."""
    order, found = np.argsort([len(row) for row in rows]), {}
    for start in range(0, len(rows), BATCH):
        picked = order[start : start + BATCH]
        found |= dict(zip(picked.tolist(), run(*padded([rows[index] for index in picked]))))
    return np.stack([found[index] for index in range(len(rows))])


def encode(model, tokenizer, lines, representation):
    """Embeddings of texts [texts, size], computed in bfloat16."""

    def run(ids, mask):
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
            return model(torch.from_numpy(ids), torch.from_numpy(mask)).float().numpy()

    return in_batches(token_rows(tokenizer, lines, representation, model.trunk.shape.positions), run)
