"""Sets how much the lexical part counts beside the dense one, and writes that into the checkpoint.

The held-out twentieth of the training data decides. Training alone sets the lexical part too low for search: in a batch
of a few hundred the dense part tells texts apart well enough, among thousands it does not.
"""

import json
from pathlib import Path

import numpy as np
import torch
from scipy.stats import spearmanr

from lightwell_training.embedder.data.batches import Store
from lightwell_training.embedder.export.hub import load_model
from lightwell_training.embedder.measure.scores import order_agreement, recall_of_scores, unit
from lightwell_training.embedder.train import embed

SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4, 4.0)
SEARCHED = ("squad", "pairs.medquad", "pairs.openstax-exercises", "pairs.openstax-definitions", "pairs.oewn")
QUERIES = 1000
COMPACT_LOSS = (
    0.05  # of the rank correlation: what the compact part, which has no lexical part, may lose against the whole
)


def cosines(model, a, b, every):
    """Cosines of the dense and of the lexical parts: of each with each [queries, documents] or of the pairs [pairs]."""
    dense = model.shape.dense
    for part in (slice(dense), slice(dense, None)):
        first, second = unit(a[:, part]), unit(b[:, part])
        yield first @ second.T if every else (first * second).sum(1)


def search_curve(model, store, name):
    """Per share, the mean of recall@1 and recall@10 of held-out queries among the documents of their set."""
    rows = store.sets[f"{name}.held"]
    documents, right = np.unique(rows[:, 1], return_inverse=True)
    picked = np.random.default_rng(0).permutation(len(rows))[:QUERIES]
    dense, lexical = cosines(
        model, embed(model, store, rows[picked, 0], "query"), embed(model, store, documents, "document"), every=True
    )
    mixed = (dense + share * share * lexical for share in SHARES)
    return [np.mean([recall_of_scores(scores, right[picked], among) for among in (1, 10)]) for scores in mixed]


def sts_curve(model, store):
    """Rank correlation on held-out scored pairs: per share, and that of the compact part."""
    rows, scores = store.sets["sts.held"], store.sets["sts.held.scores"]
    a, b = (embed(model, store, rows[:, column], "symmetric") for column in (0, 1))
    dense, lexical = cosines(model, a, b, every=False)
    compact = order_agreement(a[:, : model.shape.compact], b[:, : model.shape.compact], scores)
    return [spearmanr(dense + share * share * lexical, scores).statistic for share in SHARES], compact


def intents_curve(model, store):
    """Per share, how often the nearest held-out sentence is of the same intent."""
    rows = store.sets["intents.held"]
    vectors = embed(model, store, rows[:, 0], "symmetric")
    dense, lexical = cosines(model, vectors, vectors, every=True)
    found = []
    for share in SHARES:
        scores = dense + share * share * lexical
        np.fill_diagonal(scores, -np.inf)
        found.append((rows[scores.argmax(1), 1] == rows[:, 1]).mean())
    return found


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--work", type=Path, required=True, help="folder that prepare and vectors wrote")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], help="sets to leave out, as in the training")
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint with the settled shares")


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(1)
    (model, state), store = load_model(arguments.checkpoint), Store(arguments.work)
    searched = [name for name in SEARCHED if name not in arguments.without]
    (scored, compact), search = sts_curve(model, store), {name: search_curve(model, store, name) for name in searched}
    near = [value if value * (1 - COMPACT_LOSS) <= compact else -1 for value in scored]
    chosen = [SHARES[int(np.argmax(curve))] for curve in (near, np.mean(list(search.values()), 0))]
    for name, curve in {"sts": scored, "intents, for information": intents_curve(model, store), **search}.items():
        print(name, json.dumps({str(share): round(float(value), 3) for share, value in zip(SHARES, curve)}), flush=True)
    print("learned", model.share.exp().tolist(), "settled", chosen)
    state["model"]["share"] = torch.tensor([chosen[0], chosen[1], chosen[1]]).log()
    torch.save(state, arguments.out)
