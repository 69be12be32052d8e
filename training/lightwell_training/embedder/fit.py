"""Makes the embedder from all-MiniLM-L6-v2 without training its layers: a rotation, weights of its axes, shares.

The rotation puts the axes that differ most between texts first, so that the first 128 stand alone; no cosine changes.
Symmetric texts then have a weight per axis, learned on scored pairs. How much the lexical part counts is chosen where
it ranks best: on the scored pairs, and in searches whose sources are not reported. Writes OUT/embedder.pt and
OUT/choices.json.
"""

import json
from copy import copy
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from scipy.stats import spearmanr
from tokenizers import Tokenizer

from lightwell_training.corpora import texts
from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.embedder.encode import encode
from lightwell_training.embedder.measure.scores import gain_of_scores
from lightwell_training.embedder.network import Embedder, Shape
from lightwell_training.embedder.terms import REPRESENTATIONS
from lightwell_training.trunk.graph import round_as_stored
from lightwell_training.trunk.network import pretrained_trunk
from lightwell_training.trunk.pretrained import read_weights
from lightwell_training.trunk.vocabulary import CLS_ID

READ = ("sts", "squad", "pairs")

SHARES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6)
FOLDS, STEPS, RATE = 4, 100, 0.03
PULLS = (0.0, 0.3, 3.0)  # back to equal weights
SEARCHED = ("oewn", "openstax-definitions")  # sources of pairs; the others are reported
QUERIES, DOCUMENTS, TITLES = 300, 600, 12


def untrained(pretrained, cut, terms):
    """The embedder with the trunk as its file will have it, heads that change nothing, and no lexical part."""
    kept, stored = np.load(cut / "kept.npy"), np.load(terms / "terms.npz")
    trunk = pretrained_trunk(read_weights(pretrained), kept)
    shape = Shape(pieces=len(kept) + len(REPRESENTATIONS), terms=len(stored["weights"]))
    model = Embedder(shape, stored["term_of"])
    values = trunk.state_dict()
    first = values["words.weight"][CLS_ID].expand(len(REPRESENTATIONS), -1)
    values["words.weight"] = torch.cat([values["words.weight"], first])
    model.trunk.load_state_dict(values)
    round_as_stored(model.trunk)
    model.term_weight.data = torch.from_numpy(stored["weights"])
    model.heads.data[:] = torch.eye(shape.dense)
    model.share.data[:] = 0.5
    return model.eval()


def searches(data):
    """Queries, documents and the place of the right one, by name; none of them is held out."""
    rows = [row for row in texts.read_squad(data / "qa" / "squad-v1.1-train.jsonl.xz") if not texts.is_held_out(row[2])]
    titles = set(np.random.default_rng(0).permutation(sorted({row[2] for row in rows}))[:TITLES])
    found = {"squad": [(question, paragraph) for question, paragraph, title in rows if title in titles]}
    for a, b, source in texts.read_pairs(data):
        if source in SEARCHED and not texts.is_held_out(b):
            found.setdefault(source, []).append((a, b))
    for name, pairs in found.items():
        pairs = [pairs[index] for index in np.random.default_rng(0).permutation(len(pairs))]
        documents = list(dict.fromkeys(b for _, b in pairs))[:DOCUMENTS]
        places = {document: place for place, document in enumerate(documents)}
        asked = [(a, places[b]) for a, b in pairs if b in places][:QUERIES]
        yield name, [a for a, _ in asked], documents, np.array([place for _, place in asked])


def rotation(vectors):
    """Axes of unit vectors [texts, width], those that differ most first, as rows [width, width]."""
    return np.linalg.eigh(vectors.T @ vectors)[1].T[::-1].copy()


def correlation(x, y):
    """Pearson's correlation of two tensors [pairs]."""
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x.norm() * y.norm())


class AxisPairs:
    """Pairs of vectors [pairs, width] as products of their axes, from which cosines of weighted axes follow."""

    def __init__(self, a, b):
        self.products, self.first, self.second = a * b, a * a, b * b

    def __getitem__(self, picked):
        part = copy(self)
        part.products, part.first, part.second = (each[picked] for each in (self.products, self.first, self.second))
        return part

    def cosines(self, weights, size):
        """Cosines of the first `size` axes [pairs], each multiplied by its weight."""
        squared = weights[:size].square()
        product, first, second = (each[:, :size] @ squared for each in (self.products, self.first, self.second))
        return product / (first * second).sqrt()


def learned(pairs, scores, pull, sizes):
    """Weights of the axes [width]: those whose cosines agree best with scores at each of `sizes`."""
    logs = torch.zeros(pairs.products.shape[1], requires_grad=True)
    optimizer = torch.optim.Adam([logs], lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        agreed = sum(correlation(pairs.cosines(logs.exp(), size), scores) for size in sizes)
        (pull * logs.square().mean() - agreed).backward()
        optimizer.step()
    return logs.detach().exp()


def fold_figures(pairs, scores, sizes, pull):
    """Rank correlation at each size on each fold, learned on the others, [folds, sizes]; pull None: equal weights."""
    order = np.random.default_rng(0).permutation(len(scores))
    figures = []
    for fold in range(FOLDS):
        held = torch.from_numpy(np.isin(np.arange(len(scores)), order[fold::FOLDS]))
        equal = torch.ones(pairs.products.shape[1])
        weights = equal if pull is None else learned(pairs[~held], scores[~held], pull, sizes)
        near = [pairs[held].cosines(weights, size) for size in sizes]
        figures.append([spearmanr(values, scores[held]).statistic for values in near])
    return np.array(figures)


def best_share(curve):
    """The share with the greatest figure, the smallest among equal ones."""
    return SHARES[int(np.argmax(curve))]


def search_curves(model, tokenizer, data):
    """nDCG@10 per share of each search, and the dense vectors of all texts."""
    curves, dense = {}, []
    for name, queries, documents, right in searches(data):
        asked, told = (
            encode(model, tokenizer, lines, side) for lines, side in ((queries, "query"), (documents, "document"))
        )
        split = model.shape.dense
        near, same = (2 * asked[:, part] @ told[:, part].T for part in (slice(split), slice(split, None)))
        curves[name] = [gain_of_scores((1 - share) * near + share * same, right) for share in SHARES]
        dense += [2**0.5 * asked[:, :split], 2**0.5 * told[:, :split]]
    return curves, dense


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--cut", type=Path, required=True, help="folder that trunk vocabulary wrote")
    parser.add_argument("--terms", type=Path, required=True, help="folder that embedder terms wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    arguments.out.mkdir(parents=True, exist_ok=True)
    model = untrained(arguments.pretrained, arguments.cut, arguments.terms)
    tokenizer = Tokenizer.from_file(str(arguments.terms / "tokenizer.json"))
    curves, seen = search_curves(model, tokenizer, arguments.data)
    pairs = texts.read_sts(arguments.data / "pairs" / "sts-train.jsonl.xz")
    first, second = (encode(model, tokenizer, [pair[side] for pair in pairs], "symmetric") for side in (0, 1))
    split, root = model.shape.dense, 2**0.5
    dense, lexical = (
        [root * part[:, where] for part in (first, second)] for where in (slice(split), slice(split, None))
    )
    scores = torch.tensor([pair[2] for pair in pairs])
    turn = rotation(np.concatenate([*seen, *dense]))
    axes = AxisPairs(*(torch.from_numpy(part @ turn.T) for part in dense))
    sizes = (model.shape.compact, split)
    folds = {pull: fold_figures(axes, scores, sizes, pull).mean(0) for pull in (None, *PULLS)}
    pull = max(PULLS, key=lambda each: folds[each].sum())
    weights = learned(axes, scores, pull, sizes)
    near, same = axes.cosines(weights, split).numpy(), (lexical[0] * lexical[1]).sum(1)
    symmetric = [spearmanr((1 - share) * near + share * same, scores).statistic for share in SHARES]
    searched = np.mean(list(curves.values()), 0)
    model.share.data = torch.tensor([best_share(symmetric), best_share(searched), best_share(searched)])
    model.heads.data[:] = torch.from_numpy(turn)
    model.heads.data[0] *= weights[:, None]
    choices = {
        "folds": {str(each): [round(float(value), 4) for value in found] for each, found in folds.items()},
        "pull": pull,
        "shares": {
            name: dict(zip(map(str, SHARES), (round(float(value), 4) for value in curve)))
            for name, curve in {"sts": symmetric, **curves}.items()
        },
        "chosen": model.share.tolist(),
    }
    torch.save({"shape": asdict(model.shape), "model": model.state_dict()}, arguments.out / "embedder.pt")
    (arguments.out / "choices.json").write_text(json.dumps(choices, indent=2) + "\n")
    print(json.dumps(choices))
