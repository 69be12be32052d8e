"""Trains the embedder on pairs, labels and scores, as a schedule says; a restart continues."""

from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from lightwell_training.embedder.data.batches import Store, draw
from lightwell_training.embedder.data.tokenizer import fold_pieces
from lightwell_training.embedder.measure.scores import order_agreement, recall
from lightwell_training.embedder.network.losses import loss_of
from lightwell_training.embedder.network.network import Embedder, Shape
from lightwell_training.embedder.network.start import initialise
from lightwell_training.loop.run import NetworkRun, add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule

SCHEDULE = Path(__file__).with_name("schedule.json")

DROPPED = 0.1
HELD_QUESTIONS = 1500


def make_model(data, **settings):
    """An untrained embedder for the tokenizer in the folder `data`; `settings` are further fields of its Shape."""
    row_of, term_of = fold_pieces(Tokenizer.from_file(str(data / "tokenizer.json")))
    shape = Shape(pieces=len(row_of), rows=max(row_of) + 1, terms=max(term_of) + 1, **settings)
    return Embedder(shape, row_of, term_of)


def embed(model, store, numbers, representation, longest=400):
    """float32 [texts, size], shortest texts first in the computing, in the given order in the result."""
    order = np.argsort(store.offsets[numbers + 1] - store.offsets[numbers])
    found = np.empty((len(numbers), model.shape.size), np.float32)
    with torch.no_grad():
        for start in range(0, len(order), 64):
            picked = order[start : start + 64]
            found[picked] = model(*store.tokens(numbers[picked], representation, longest))[0].numpy()
    return found


def measure_held(model, store):
    """Figures on the held-out part of the training data."""
    model.eval()
    sts, squad, intents = (store.sets[f"{name}.held"] for name in ("sts", "squad", "intents"))
    a, b = (embed(model, store, sts[:, column], "symmetric") for column in (0, 1))
    figures = {
        f"sts.{size}": order_agreement(a[:, :size], b[:, :size], store.sets["sts.held.scores"])
        for size in (128, model.shape.dense, model.shape.size)
    }
    paragraphs, right = np.unique(squad[:, 1], return_inverse=True)
    picked = np.random.default_rng(0).permutation(len(squad))[:HELD_QUESTIONS]
    queries, documents = embed(model, store, squad[picked, 0], "query"), embed(model, store, paragraphs, "document")
    lexical = slice(model.shape.dense, None)
    for name, part in {
        "128": slice(128),
        "dense": slice(model.shape.dense),
        "lexical": lexical,
        "5120": slice(None),
    }.items():
        figures[f"squad.{name}"] = recall(queries[:, part], documents[:, part], right[picked], 10)
    figures["squad.5120@1"] = recall(queries, documents, right[picked], 1)
    vectors = embed(model, store, intents[:, 0], "symmetric")[:, :128]
    near = vectors @ vectors.T
    np.fill_diagonal(near, -9)
    figures["intents.nearest"] = float((intents[near.argmax(1), 1] == intents[:, 1]).mean())
    model.train()
    return {name: round(float(value), 4) for name, value in figures.items()}


def optimizer_of(model):
    """AdamW; word embeddings and the few mixing numbers apart from the rest, and without decay."""
    groups = {
        "words": [model.words.weight, model.word_weight, model.term_weight],
        "shares": [model.saturation, model.share],
    }
    known = {id(parameter) for parameters in groups.values() for parameter in parameters}
    groups["others"] = [parameter for parameter in model.parameters() if id(parameter) not in known]
    decay = {"others": 0.01}
    return torch.optim.AdamW(
        [
            {"params": parameters, "name": name, "weight_decay": decay.get(name, 0.0)}
            for name, parameters in groups.items()
        ],
        betas=(0.9, 0.98),
        eps=1e-9,
    )


class EmbedderRun(NetworkRun):
    """A training on pairs, labels and scores."""

    longest_gradient = 5.0

    def __init__(self, path, schedule, model, store, seed):
        super().__init__(path, schedule, model, [optimizer_of(model)], seed)
        self.store = store
        self.state["texts"] = 0

    def positions(self):
        """One embedding per text."""
        return self.state["texts"]

    def backward(self, number):
        name, sides, target = draw(self.store, self.seed, number, DROPPED)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            embeddings = [self.network(ids, mask)[0].float() for ids, mask in sides]
        loss = loss_of(embeddings, target, self.network.shape)
        loss.backward()
        self.state["texts"] += sum(len(ids) for ids, _ in sides)
        return {name: loss.item()}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--work", type=Path, required=True, help="folder that prepare and vectors wrote")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    model, store = make_model(arguments.work), Store(arguments.work)
    initialise(model, arguments.seed, **np.load(arguments.work / "vectors.npz"))
    run = EmbedderRun(arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), model, store, arguments.seed)
    with open(arguments.out / "log.jsonl", "a") as log:
        report(
            log, {"start": measure_held(model, store), "parameters": sum(item.numel() for item in model.parameters())}
        )
        train(run, log)
        report(log, {"end": measure_held(model, store)})
