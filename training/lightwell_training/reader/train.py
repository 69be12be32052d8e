"""Trains the reader on questions with and without an answer, as a schedule says; a restart continues.

Muon trains the matrices and AdamW the vectors and the rest, in bfloat16.
"""

from pathlib import Path

import numpy as np
import torch

from lightwell_training.loop.run import NetworkRun, add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.reader.data.batches import Questions, batches
from lightwell_training.reader.measure.scores import held_figures
from lightwell_training.reader.network.network import Reader, Shape

SCHEDULE = Path(__file__).with_name("schedule.json")

BATCH = 32
DROPOUT = 0.15


def optimizers_of(model):
    """Muon for the matrices of layers, AdamW for vectors and tables over classes and for what is no matrix."""
    tables = [model.own, model.weights, model.shapes]
    others = [p for p in model.parameters() if not any(p is table for table in tables)]
    matrices = [p for p in others if p.ndim == 2 and min(p.shape) > 2]
    rest = [p for p in others if not any(p is matrix for matrix in matrices)]
    return [
        torch.optim.Muon([{"params": matrices, "name": "matrices"}], momentum=0.95, weight_decay=0.02),
        torch.optim.AdamW(
            [{"params": rest, "name": "others"}, {"params": tables, "name": "tables"}],
            betas=(0.9, 0.98),
            weight_decay=0.0,
        ),
    ]


def loss_of(model, question, passage, targets):
    """Negative log likelihood of start and end; where several places are right, of their sum."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(question, passage)
    chances = [torch.logsumexp(rows.log_softmax(1) + (wanted - 1.0) * 1e4, 1) for rows, wanted in zip(logits, targets)]
    return -(chances[0] + chances[1]).mean()


class ReaderRun(NetworkRun):
    """A training on questions with and without an answer."""

    longest_gradient = 2.0

    def __init__(self, path, schedule, model, questions, seed):
        super().__init__(path, schedule, model, optimizers_of(model), seed)
        self.questions, self.batches = questions, None
        self.state["tokens"] = 0

    def positions(self):
        """Tokens of questions and passages, padding among them."""
        return self.state["tokens"]

    def backward(self, number):
        self.batches = self.batches or batches(self.questions, BATCH, self.seed, number)
        question, passage, targets = next(self.batches)
        loss = loss_of(self.network, question, passage, targets)
        loss.backward()
        self.state["tokens"] += question.numel() + passage.numel()
        return {"loss": loss.item()}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="weights to begin with, as the step start writes them")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    tables = dict(np.load(arguments.corpus / "tables.npz"))
    model, questions, held = (
        Reader(Shape(), tables, DROPOUT),
        *(Questions(arguments.corpus / f"{part}.npy", tables["ends"]) for part in ("train", "held")),
    )
    if arguments.begin:
        model.load_state_dict(torch.load(arguments.begin))
    run = ReaderRun(
        arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), model, questions, arguments.seed
    )
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        report(log, held_figures(model, held))
