"""Trains the upper layers of a trained reader further, on questions of which some are about office texts.

Writes OUT/mean.pt, the mean of the weights before and after.
"""

from pathlib import Path

import torch

from lightwell_training.loop.mean import mean_of_states
from lightwell_training.loop.run import add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.reader.data.batches import Questions
from lightwell_training.reader.measure.scores import held_figures
from lightwell_training.reader.network import load_checkpoint
from lightwell_training.reader.train import ReaderRun

SCHEDULE = Path(__file__).with_name("tune.json")

BATCH = 24
FROZEN = 3  # lower layers that stay as they are, like the embeddings: a step then takes two thirds of the time
OFFICE = 0.3  # of the examples are about office texts
# Of the examples with an answer, these shares get a question or a passage without it.
OFFICE_NEGATIVE, OTHER_NEGATIVE = 0.2, 0.45
CROPPED = 0.6  # of the passages: cut to a few sentences
LENGTHS = {112: 0.4, 160: 0.3, 272: 0.3}  # tokens that a sequence has at most, and the share of each


class Mixture:
    """Examples of questions about passages and, for the share OFFICE, about office texts."""

    def __init__(self, questions, office):
        self.questions, self.office = questions, office

    def __len__(self):
        return len(self.questions)

    def example(self, index, random, negative):
        """As `Questions.example`; the share of negatives is this module's."""
        form = {"cropped": CROPPED, "longest": int(random.choice(list(LENGTHS), p=list(LENGTHS.values())))}
        if random.random() < OFFICE:
            index = int(random.integers(self.office.asked))
            return self.office.example(index, random, random.random() < OFFICE_NEGATIVE, **form)
        return self.questions.example(index, random, random.random() < OTHER_NEGATIVE, **form)


def freeze(trunk):
    """Keeps embeddings and lower layers as they are."""
    for part in (trunk.words, trunk.places, trunk.types, trunk.norm, *trunk.layers[:FROZEN]):
        part.requires_grad_(False)


class TuneRun(ReaderRun):
    """A training of the upper layers; `first` tells of the training before, with state, seed and device."""

    def __init__(self, path, schedule, model, questions, seed, first):
        freeze(model.trunk)
        super().__init__(path, schedule, model.train(), questions, seed, batch=BATCH, dropout=0.0)
        self.first = first

    def values(self):
        return {**super().values(), "first": self.first}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="checkpoint of the step train or earlier")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    model, saved = load_checkpoint(arguments.start)
    first = {name: saved[name] for name in ("state", "seed", "device")}
    questions, held, office = (Questions(arguments.corpus / f"{part}.npz") for part in ("train", "held", "office"))
    path, schedule = arguments.out / "checkpoint.pt", read_schedule(arguments.schedule)
    run = TuneRun(path, schedule, model, Mixture(questions, office), arguments.seed, first)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        mean = mean_of_states([saved["model"], model.state_dict()])
        torch.save({**run.values(), "model": mean}, arguments.out / "mean.pt")
        model.load_state_dict(mean)
        report(log, held_figures(model, held))
