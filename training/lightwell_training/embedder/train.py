"""Trains the embedder on pairs, labels and scores, as a schedule says; a restart continues.

The first training has no attention layer, which makes a step four times as fast. The second begins with its weights
(`--begin`) and adds the layer, which changes nothing before it has learned something. A training `--without` some of
the sets shows how the embedder does on a source that it never saw.
"""

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
BETAS, EPSILON = (0.9, 0.98), 1e-9


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
            found[picked] = model(*store.tokens(numbers[picked], representation, longest)).numpy()
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


def groups_of(model):
    """Parameters by the name of their rate, without the word embeddings.

    `weights` say how much a word or a term counts, `maps` are linear, `deep` is what can bend: it learns its texts by
    heart if its rate is as high as that of the others.
    """
    groups = {
        "weights": [model.word_weight, model.term_weight],
        "shares": [model.saturation, model.share],
        "maps": [model.widen.weight, model.project.weight, model.context_weight.weight],
    }
    known = {id(parameter) for parameters in groups.values() for parameter in parameters} | {id(model.words.weight)}
    return groups | {"deep": [parameter for parameter in model.parameters() if id(parameter) not in known]}


def optimizers_of(model):
    """Adagrad for the word embeddings, and AdamW for all others.

    Adagrad changes only the rows of a step's texts, and a rare word by more than a common one: the rate of each number
    falls with the gradients that it had (Duchi et al. 2011).
    """
    torch.sparse.check_sparse_tensor_invariants.disable()  # as it is unless told, but without a warning
    words = torch.optim.Adagrad([{"params": [model.words.weight], "name": "words"}])
    others = [
        {"params": parameters, "name": name, "weight_decay": 0.01 * (name == "deep")}
        for name, parameters in groups_of(model).items()
    ]
    return [words, torch.optim.AdamW(others, betas=BETAS, eps=EPSILON)]


class EmbedderRun(NetworkRun):
    """A training on pairs, labels and scores."""

    longest_gradient = 5.0

    def __init__(self, path, schedule, model, store, seed, without=()):
        super().__init__(path, schedule, model, optimizers_of(model), seed)
        self.store, self.without = store, without
        self.state["texts"] = 0

    def positions(self):
        """One embedding per text."""
        return self.state["texts"]

    def clipped(self):
        """All but the word embeddings, whose gradients are sparse."""
        return [parameter for parameter in self.network.parameters() if parameter is not self.network.words.weight]

    def backward(self, number):
        name, sides, target = draw(self.store, self.seed, number, DROPPED, self.without)
        embeddings = [self.network(ids, mask) for ids, mask in sides]
        loss = loss_of(embeddings, target, self.network.shape)
        loss.backward()
        self.state["texts"] += sum(len(ids) for ids, _ in sides)
        return {name: loss.item()}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--work", type=Path, required=True, help="folder that the steps before wrote")
    parser.add_argument("--layers", type=int, default=0, help="of attention")
    parser.add_argument("--begin", type=Path, help="checkpoint of an earlier training that this one goes on from")
    parser.add_argument("--without", nargs="*", default=[], help="sets to leave out, to measure transfer")
    add_training_options(parser, SCHEDULE)


def begin(model, seed, work, checkpoint):
    """Sets the weights that a training starts from: those of a checkpoint, or what is known of the words.

    A layer that the checkpoint does not have starts at nothing.
    """
    if checkpoint is None:
        return initialise(model, seed, **np.load(work / "vectors.npz"))
    found = model.load_state_dict(torch.load(checkpoint, weights_only=False)["model"], strict=False)
    strange = [name for name in found.missing_keys if not name.startswith("layers.")] + found.unexpected_keys
    if strange:
        raise ValueError(
            f"{checkpoint}: expected the weights of this network but for its layers, got others: {strange}"
        )
    return None


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    model, store = make_model(arguments.work, layers=arguments.layers), Store(arguments.work)
    begin(model, arguments.seed, arguments.work, arguments.begin)
    schedule, path = read_schedule(arguments.schedule), arguments.out / "checkpoint.pt"
    run = EmbedderRun(path, schedule, model, store, arguments.seed, arguments.without)
    with open(arguments.out / "log.jsonl", "a") as log:
        report(
            log, {"start": measure_held(model, store), "parameters": sum(item.numel() for item in model.parameters())}
        )
        train(run, log)
        report(log, {"end": measure_held(model, store)})
