"""Rows of scenes for the decoder: token ids with 144 positions free for the picture, and target weights."""

import numpy as np
import torch

from lightwell_training.text.corpus import clean_and_spans
from lightwell_training.vision.network import TOKENS, to_pixels
from lightwell_training.vision.scenes.scenes import render, tile_labels
from lightwell_training.vision.scenes.texts import make_example

LENGTH = 256  # positions of a row: a picture and up to 112 tokens of text
ANSWER, REST = 1.0, 0.1  # weights of what the picture tells and of what it cannot, such as the wording of a question


def encode_marked(tokenizer, text):
    """Token ids of a text with marks, and for each whether it belongs to a marked span."""
    clean, spans = clean_and_spans(text)
    encoding = tokenizer.encode(clean)
    marked = [any(stop > a and start < b for a, b in spans) for start, stop in encoding.offsets]
    return encoding.ids, marked


def encode_row(tokenizer, example, end):
    """Ids [LENGTH + 1], weights of the targets [LENGTH], and the picture's first position.

    `end` fills the picture's places and the rest of the row.
    """
    before, _ = encode_marked(tokenizer, example.before)
    after, marked = encode_marked(tokenizer, example.after)
    known = np.array([*before, *[end] * TOKENS, *after, end])[: LENGTH + 1]
    ids, weights = np.full(LENGTH + 1, end), np.zeros(LENGTH + 1, np.float32)
    ids[: len(known)] = known
    told = np.array(
        [*[REST] * len(before), *[0.0] * TOKENS, *[ANSWER if mark else REST for mark in marked], ANSWER], np.float32
    )[: LENGTH + 1]
    weights[: len(told)] = told
    return ids, weights[1:], len(before)


def image_batch(tokenizer, end, first_seed, count, held_out=False):
    """`count` rows, one of each seed from `first_seed` on.

    Returns pixels, ids, targets, weights, first positions of the pictures, and labels of the tiles.
    """
    pictures, rows, labels = [], [], []
    for seed in range(first_seed, first_seed + count):
        scene, example, random = make_example(seed, held_out)
        pictures.append(render(random, scene))
        rows.append(encode_row(tokenizer, example, end))
        labels.append(tile_labels(scene))
    ids, weights, first = (np.stack(part) for part in zip(*rows))
    ids = torch.from_numpy(ids)
    return (
        to_pixels(np.stack(pictures)),
        ids[:, :-1],
        ids[:, 1:],
        torch.from_numpy(weights),
        torch.from_numpy(first),
        torch.from_numpy(np.stack(labels)),
    )
