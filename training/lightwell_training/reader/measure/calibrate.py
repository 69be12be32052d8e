"""Fits the probability that the text has the answer and the span is right (Platt 1999).

It is sigmoid(scale * margin + bias), fitted on held-out questions with negatives.
"""

import json
from pathlib import Path

import numpy as np
import torch

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.reader.checkpoint import load_checked
from lightwell_training.reader.data.batches import Questions
from lightwell_training.reader.data.probes import Probes, tokenised
from lightwell_training.reader.data.statements import found_names, statements
from lightwell_training.reader.measure.scores import area, held_predictions, predictions

READ = ("wikipedia",)

RIGHT = 0.5  # token F1 from which a span counts as right
NEGATIVE = 0.4  # share without an answer, whatever the length of the text
CUT, STATEMENTS = 2000, 1000  # texts of one or three sentences, statements
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


def one(rows, random):
    """The answered row or, for a share, one of the others."""
    rows = list(rows)
    negatives = [row for row in rows if not row[3]]
    return negatives[random.integers(len(negatives))] if negatives and random.random() < NEGATIVE else rows[0]


def cut_examples(questions, tables):
    """Framed examples of one or three sentences of held-out passages."""
    random = np.random.default_rng(SEED)
    probes = Probes(questions, tables, random)
    drawn = random.permutation(len(questions))[:CUT]
    return [
        questions.framed(*one(probes.short(index, 1 + 2 * (at % 2)), random)[1:], random)
        for at, index in enumerate(drawn)
    ]


def statement_examples(questions, corpus, data):
    """Framed examples of statements of the kinds that the check has not seen."""
    random = np.random.default_rng(SEED)
    rows = list(tokenised(statements(found_names(data), 2 * STATEMENTS, SEED, held=True), corpus / "tokenizer.json"))
    groups = {True: [row for row in rows if row[3]], False: [row for row in rows if not row[3]]}
    chosen = [groups[bool(random.random() >= NEGATIVE)].pop() for _ in range(STATEMENTS)]
    return [questions.framed(*rest, random) for _, *rest in chosen]


def reliability(chances, right):
    """[mean score, share that is right, how many] for scores in fifths."""
    buckets = np.minimum((chances * 5).astype(int), 4)
    return [
        [
            round(float(chances[buckets == b].mean()), 3),
            round(float(right[buckets == b].mean()), 3),
            int((buckets == b).sum()),
        ]
        for b in range(5)
        if (buckets == b).any()
    ]


def figures(groups):
    """Scale and bias from all groups; figures of each."""
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
            "right": round(float(right_of(rows).mean()), 4),
            "token_f1": round(100 * rows[answered, 2].mean(), 2),
            "token_exact": round(100 * rows[answered, 3].mean(), 2),
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
    add_data_option(parser)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--check", type=Path, required=True, help="written by the step train-check")
    parser.add_argument("--out", type=Path, required=True)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    torch.set_num_threads(1)
    model, _ = load_checked(arguments.checkpoint, arguments.check, arguments.corpus)
    tables = dict(np.load(arguments.corpus / "tables.npz"))
    questions = Questions(arguments.corpus / "held.npy", tables["ends"])
    groups = {
        "whole": held_predictions(model, questions, SEED, negative=NEGATIVE),
        "cut": predictions(model, cut_examples(questions, tables)),
        "statements": predictions(model, statement_examples(questions, arguments.corpus, arguments.data)),
    }
    values = figures(groups)
    arguments.out.write_text(json.dumps(values, indent=2) + "\n")
    print(json.dumps(values))
