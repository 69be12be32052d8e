"""Makes the weights that the training begins with from the reader before it, which had a round less.

That reader's recipe stands beside it in the repository's history. All its weights stay as they are. The round that it
did not have begins without an effect: it adds nothing to what it reads.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
import torch

from lightwell_training.corpora.history import fetch
from lightwell_training.graph.rows import restored
from lightwell_training.graph.stored import stored_weights
from lightwell_training.reader.network.network import Reader, Shape

COMMIT, FOLDER = "00df9edf", "public/models/lightwell-reader"
SHA256 = {
    "onnx/model.onnx": "85cc676771b908b745d1ce9c70daa676c44c11a0ecf34a9dfdecfe9a0b12df32",
    "tokenizer.json": "efa025943f611a3fa639866960e52d1e5fe93eaeb566af9ba39cf939b964a130",
}
NAMES = {"weights": "words.weight", "shapes": "shapes.weight"}  # where a parameter has another name in the file


def value_of(stored, name):
    """The values of a parameter in the earlier reader's file, or None where it has none."""
    if name == "own":
        return restored(stored["own.rows"], stored["own.scales"])
    values = stored.get(NAMES.get(name, name))
    linear = values is not None and values.ndim == 2 and name not in NAMES
    return values.T if linear else values


def silence(layer):
    """Makes a round add nothing: the values of its convolutions, and what its attention and its layers write, are 0."""
    for convolution in (*layer.before, *layer.between):
        half = convolution.linear.out_features // 2
        convolution.linear.weight.data[:half] = 0.0
        convolution.linear.bias.data[:half] = 0.0
    for last in (layer.cross.o, layer.attention.o, layer.feed.down):
        for parameter in last.parameters():
            parameter.data.zero_()


def begin(model, stored):
    """Sets all weights of the model and returns how many parameters the earlier reader had, and how many are new."""
    known, new = 0, 0
    for name, parameter in model.named_parameters():
        values = value_of(stored, name)
        if values is None:
            new += parameter.numel()
            continue
        known += parameter.numel()
        parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values, np.float32)))
    silence(model.rounds[-1])
    return {"known": known, "new": new}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the file to write")


def main(arguments):
    """Runs this step."""
    torch.manual_seed(1)
    model = Reader(Shape(), dict(np.load(arguments.corpus / "tables.npz")))
    with tempfile.TemporaryDirectory() as folder:
        earlier = fetch(COMMIT, FOLDER, SHA256, Path(folder))
        figures = begin(model, stored_weights(earlier / "onnx" / "model.onnx"))
    torch.save(model.state_dict(), arguments.out)
    print(json.dumps(figures))
