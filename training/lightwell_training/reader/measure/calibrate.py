"""Fits the probability that the text has the answer and the span is right (Platt 1999).

It is sigmoid(scale * margin + bias), fitted on held-out questions with negatives.
"""

import json
from pathlib import Path

import numpy as np
import torch

from lightwell_training.reader.data.batches import Questions
from lightwell_training.reader.measure.scores import area, predictions
from lightwell_training.reader.network import load_checkpoint
from lightwell_training.trunk.graph import round_as_stored

RIGHT = 0.5  # token F1 from which a span counts as right
NEGATIVE = 0.4  # share without an answer
COUNT = 3000  # questions
SEED = 7


def fit(margins, right):
    """Scale and bias by Newton's method on the log loss."""
    columns = np.stack([margins, np.ones_like(margins)], 1)
    weights = np.zeros(2)
    for _ in range(50):
        chances = 1 / (1 + np.exp(-columns @ weights))
        curvature = (columns * (chances * (1 - chances))[:, None]).T @ columns + 1e-6 * np.eye(2)
        weights += np.linalg.solve(curvature, columns.T @ (right - chances))
    return weights


def held_groups(model, questions):
    """Predictions [texts, 4] for held-out questions about passages, and about statements of a sentence or two."""
    random = np.random.default_rng(SEED)
    drawn = random.permutation(len(questions))[:COUNT]
    rows = predictions(model, [questions.example(index, random, random.random() < NEGATIVE) for index in drawn])
    return {"passages": rows[drawn < questions.asked], "statements": rows[drawn >= questions.asked]}


def reliability(chances, right):
    """[mean score, share that is right, how many] for scores in fifths."""
    fifths = np.minimum((chances * 5).astype(int), 4)
    counted = ((chances[fifths == at], right[fifths == at]) for at in range(5))
    return [
        [round(float(scores.mean()), 3), round(float(good.mean()), 3), len(scores)]
        for scores, good in counted
        if len(scores)
    ]


def figures(groups):
    """Scale and bias from all groups; figures of each, those of the score with a fit on every other text."""
    margins, right = (np.concatenate([values(rows) for rows in groups.values()]) for values in (margins_of, right_of))
    half = np.arange(len(margins)) % 2 == 0
    group = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups.values()])
    scale, bias = fit(margins[half], right[half])
    chances = 1 / (1 + np.exp(-(scale * margins + bias)))
    scale, bias = fit(margins, right)
    values = {"scale": round(float(scale), 5), "bias": round(float(bias), 5)}
    for at, (name, rows) in enumerate(groups.items()):
        answered, counted = rows[:, 1] > 0, ~half & (group == at)
        values[name] = {
            "questions": len(rows),
            "token_f1": round(100 * rows[answered, 2].mean(), 2),
            "area": round(100 * area(rows[:, 0], answered), 2),
            "reliability": reliability(chances[counted], right[counted]),
        }
    return values


def margins_of(rows):
    """Margins of predictions [texts, 4], see scores.predictions."""
    return rows[:, 0]


def right_of(rows):
    """1.0 where the text has the answer and the span is right, of predictions [texts, 4]."""
    return ((rows[:, 2] >= RIGHT) & (rows[:, 1] > 0)).astype(float)


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(arguments.threads)
    model, _ = load_checkpoint(arguments.checkpoint)
    round_as_stored(model.trunk)
    values = figures(held_groups(model, Questions(arguments.corpus / "held.npz")))
    arguments.out.write_text(json.dumps(values, indent=2) + "\n")
    print(json.dumps(values))
