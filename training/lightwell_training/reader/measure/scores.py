"""Best span and margin from logits, SQuAD's normalised F1 and exact match, area under the curve."""

import collections
import re
import string

import numpy as np
import torch

from lightwell_training.reader.data.batches import pack

LONGEST_ANSWER = 30  # tokens


def best_span(start, end, passage):
    """Best (first, last) in the passage, which begins at position `passage`, and its margin over no answer at 0.

    A span has at most LONGEST_ANSWER tokens and not the last one, which is [SEP]. `start` and `end` are the logits of
    one sequence without padding, [tokens].
    """
    none, start, end = start[0] + end[0], start[passage:-1], end[passage:-1]
    places = np.arange(len(start))
    length = places[None] - places[:, None]
    pairs = np.where((length >= 0) & (length < LONGEST_ANSWER), start[:, None] + end[None], -1e9)
    first, last = np.unravel_index(pairs.argmax(), pairs.shape)
    return int(first) + passage, int(last) + passage, float(pairs[first, last] - none)


def normalise(text):
    """SQuAD's normalisation: lower case, no punctuation, no articles, single spaces."""
    text = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def f1(predicted, answer):
    """F1 over the words of two texts, 0 to 1, as SQuAD's evaluation has it."""
    predicted, answer = normalise(predicted).split(), normalise(answer).split()
    shared = sum((collections.Counter(predicted) & collections.Counter(answer)).values())
    if not predicted or not answer:
        return float(predicted == answer)
    return 2 * shared / (len(predicted) + len(answer))


def exact(predicted, answer):
    """1.0 where two texts are equal after SQuAD's normalisation, else 0.0."""
    return float(normalise(predicted) == normalise(answer))


def best_over(metric, predicted, answers):
    """The best value of a metric over the gold answers."""
    return max(metric(predicted, answer) for answer in answers)


def area(scores, positive):
    """Area under the receiver operating curve, ties count half."""
    scores, positive = np.asarray(scores), np.asarray(positive, bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    wins = ranks[positive].sum() - positive.sum() * (positive.sum() + 1) / 2
    return float(wins / (positive.sum() * (~positive).sum()))


def predictions(model, examples):
    """Per example (ids, first, spans) a row of four values, float64 [examples, 4].

    They are the margin, whether there is an answer, the token F1 of the best span (0 without an answer), and whether it
    is exact.
    """
    order = sorted(range(len(examples)), key=lambda index: len(examples[index][0]))
    rows, model, device = np.zeros((len(examples), 4)), model.eval(), next(model.parameters()).device
    for begin in range(0, len(order), 32):
        part = order[begin : begin + 32]
        ids, mask, types, _ = (values.to(device) for values in pack([examples[index] for index in part]))
        with torch.no_grad(), torch.autocast(device.type, dtype=torch.bfloat16):
            starts, ends = model(ids, mask, types).cpu().numpy()
        for row, index in enumerate(part):
            tokens, passage, spans = examples[index]
            first, last, margin = best_span(starts[row][: len(tokens)], ends[row][: len(tokens)], passage)
            shared = [max(0, min(last, b) - max(first, a) + 1) * 2 / (last - first + 1 + b - a + 1) for a, b in spans]
            answered = spans[0] != (0, 0)
            rows[index] = margin, answered, max(shared) * answered, (first, last) in spans
    return rows


def held_predictions(model, questions, seed=7, limit=None, negative=0.35):
    """Predictions for held-out questions in random order, a share of them made negative."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(questions))[:limit]
    return predictions(model, [questions.example(index, random, random.random() < negative) for index in order])


def held_figures(model, questions, limit=2000):
    """Token F1 and exact match on answerable held-out questions, area under the curve of the margin, all in percent."""
    rows = held_predictions(model, questions, limit=limit)
    answered = rows[:, 1] > 0
    return {
        "f1": round(100 * rows[answered, 2].mean(), 2),
        "exact": round(100 * rows[answered, 3].mean(), 2),
        "area": round(100 * area(rows[:, 0], answered), 2),
    }
