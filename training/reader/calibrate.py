"""Fits the probability that a passage has the answer and the span is right, sigmoid(scale * margin + bias), on held-out questions with negatives (Platt, 1999)."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from batches import Questions
from export import load_reader
from measure import area, held_predictions

RIGHT = 0.5  # token F1 from which a span counts as right


def fit(margins, right):
    """Scale and bias by Newton's method on the log loss."""
    columns = np.stack([margins, np.ones_like(margins)], 1)
    weights = np.zeros(2)
    for _ in range(50):
        chances = 1 / (1 + np.exp(-columns @ weights))
        curvature = (columns * (chances * (1 - chances))[:, None]).T @ columns + 1e-6 * np.eye(2)
        weights += np.linalg.solve(curvature, columns.T @ (right - chances))
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model, _ = load_reader(arguments.checkpoint, arguments.corpus)
    questions = Questions(arguments.corpus / "held.npy", np.load(arguments.corpus / "tables.npz")["ends"])
    rows = held_predictions(model, questions, negative=0.4)
    right = ((rows[:, 2] >= RIGHT) & (rows[:, 1] > 0)).astype(float)
    half = np.arange(len(rows)) % 2 == 0
    scale, bias = fit(rows[half, 0], right[half])
    chances = 1 / (1 + np.exp(-(scale * rows[~half, 0] + bias)))
    buckets = np.minimum((chances * 5).astype(int), 4)
    reliability = [[round(float(chances[buckets == b].mean()), 3), round(float(right[~half][buckets == b].mean()), 3), int((buckets == b).sum())]
                   for b in range(5) if (buckets == b).any()]
    scale, bias = fit(rows[:, 0], right)
    answered = rows[:, 1] > 0
    values = {"scale": round(float(scale), 5), "bias": round(float(bias), 5), "questions": len(rows), "right": round(float(right.mean()), 4),
              "token_f1": round(100 * rows[answered, 2].mean(), 2), "token_exact": round(100 * rows[answered, 3].mean(), 2),
              "area": round(100 * area(rows[:, 0], answered), 2), "reliability": reliability}
    arguments.out.write_text(json.dumps(values, indent=2) + "\n")
    print(json.dumps(values))


if __name__ == "__main__":
    main()
