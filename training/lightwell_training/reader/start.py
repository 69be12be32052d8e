"""Makes the weights that the training begins with from the reader before it, which had other pieces and vectors.

That reader trained from random weights; its recipe stands beside it in the repository's history.
Layers stay as they are. The public vectors are mapped to the earlier reader's vectors by least squares; what the map
misses of a common word becomes that word's own vector. Features that the earlier reader did not have begin at nothing.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
import torch

from lightwell_training.corpora.history import fetch
from lightwell_training.graph.stored import stored_weights
from lightwell_training.reader.data.pieces import SHAPES, piece_tables, piece_texts
from lightwell_training.reader.network.matching import REACHES
from lightwell_training.reader.network.network import Reader, Shape

COMMIT, FOLDER = "04cac99", "public/models/lightwell-reader"
SHA256 = {
    "onnx/model.onnx": "ac340e6379018a81530f3f73aae4f0bdca1d2bdabd74358f9e3dd3d861de3f88",
    "tokenizer.json": "1f0143a6f4c52110810d875852dad7dbd5d4f97632ab52a633bd40bf86f2a3e1",
}

BASES = {
    "lower inside": "lower",
    "capital": "lower",
    "capital inside": "lower",
    "capitals": "lower",
    "digits inside": "digits",
}


def shape_offsets(embedded, tables, names=tuple(BASES)):
    """How the vector of a piece differs from that of the same word in the basic shape, [SHAPES, width]."""
    offsets, shapes = np.zeros((len(SHAPES), embedded.shape[1]), np.float32), tables["shape"]
    for name in names:
        base = BASES[name]
        row_of = {fold: row for row, fold in enumerate(tables["fold"]) if shapes[row] == SHAPES.index(base)}
        pairs = [
            (row, row_of[fold])
            for row, fold in enumerate(tables["fold"])
            if shapes[row] == SHAPES.index(name) and fold in row_of
        ]
        one, other = (embedded[list(side)] for side in zip(*pairs))
        offsets[SHAPES.index(name)] = (one - other).mean(0)
    return offsets


def earlier_words(stored, path):
    """Vectors and weights of the earlier reader by small word, and what the shapes add."""
    tables, texts = piece_tables(path), piece_texts(path)
    offsets = shape_offsets(stored["embeddings.weight"], tables)
    vectors, weights = stored["embeddings.weight"] - offsets[tables["shape"]], stored["words.weight"]
    return {(text.strip().lower() or text): (vectors[row], weights[row]) for row, text in enumerate(texts)}, offsets


def matched(words, texts, fold, classes):
    """Classes that the earlier reader had too [found], and its vectors and weights of them."""
    row_of = {}
    for text, row in zip(texts, fold):
        row_of.setdefault(int(row), text.strip().lower() or text)
    rows = [row for row in range(classes) if row_of[row] in words]
    vectors, weights = zip(*(words[row_of[row]] for row in rows))
    return np.array(rows), np.stack(vectors), np.array(weights)


def begin_words(model, stored, folder, texts):
    """Sets vectors, weights and shapes of the words."""
    words, offsets = earlier_words(stored, folder / "tokenizer.json")
    rows, vectors, weights = matched(words, texts, model.table_fold.numpy(), len(model.vectors))
    public = model.vectors.numpy()[rows]
    turn = np.linalg.lstsq(public, vectors, rcond=None)[0]
    common, rest = rows < model.shape.common, vectors - public @ turn
    own = np.zeros(model.own.shape, np.float32)
    own[rows[common]] = rest[common]
    line = np.polyfit(model.weights.detach().numpy()[rows], weights, 1)
    learned = np.polyval(line, model.weights.detach().numpy())
    learned[rows] = weights
    for parameter, values in (
        (model.widen.weight, turn.T),
        (model.own, own),
        (model.weights, learned),
        (model.shapes, offsets),
    ):
        parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values, np.float32)))
    return {"classes": len(model.vectors), "known": len(rows), "explained": 1 - float(rest.var() / vectors.var())}


def begin_features(stored, width):
    """The rows of passage_in for the present features, those for new ones zero."""
    old, near = stored.pop("passage_in.weight"), 2 * (len(REACHES) + 1)
    plain, features = old[: 3 * width], old[3 * width :]
    nothing = np.zeros((near, width), np.float32)
    hard, evidence, anywhere = features[:5], features[5 : 5 + near], features[5 + near :]
    return np.concatenate([plain, hard, nothing[:2], evidence, nothing, anywhere])


def begin(model, folder, texts):
    """Sets all weights of the model; returns figures."""
    stored = stored_weights(folder / "onnx" / "model.onnx")
    figures = begin_words(model, stored, folder, texts)
    stored["passage_in.weight"] = begin_features(stored, model.shape.width)
    set_already = {"widen.weight", "own", "weights", "shapes"}
    for name, parameter in model.named_parameters():
        if name not in set_already:
            values = stored[name].T if stored[name].ndim == 2 else stored[name]
            parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values)))
    return figures


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the file to write")


def main(arguments):
    """Runs this step."""
    torch.manual_seed(1)
    model = Reader(Shape(), dict(np.load(arguments.corpus / "tables.npz")))
    with tempfile.TemporaryDirectory() as folder:
        figures = begin(
            model, fetch(COMMIT, FOLDER, SHA256, Path(folder)), piece_texts(arguments.corpus / "tokenizer.json")
        )
    torch.save(model.state_dict(), arguments.out)
    print(json.dumps(figures))
