"""Takes the reader before the step `tune` from the repository's history, in place of the step `train`.

Writes the weights as they were exported, and what the card of that time tells of their training.
"""

import tempfile
from pathlib import Path

import numpy as np
import torch

from lightwell_training.corpora.history import fetch
from lightwell_training.graph.rows import restored
from lightwell_training.graph.stored import stored_weights
from lightwell_training.reader.export import OUTPUTS
from lightwell_training.reader.network import Reader
from lightwell_training.trunk.network import Trunk, TrunkShape

COMMIT, FOLDER, FILE = "72299603", "public/models/lightwell-reader", "onnx/model.onnx"
SHA256 = {FILE: "9759a1954c3d089684c9144b0b34d30a07a9f1a97418133592f1292fd2a94a50"}
TOLD = {
    "state": {"step": 15_360, "seconds": 340.0},
    "seed": 5,
    "device": "an NVIDIA H200 that another training shared",
}


def value_of(stored, name):
    """A parameter of the reader by its name, float32, from the named weights of its file."""
    name = name.removeprefix("trunk.")
    if name.startswith("span."):
        return np.stack([stored[f"span.{output}.{name.removeprefix('span.')}"].squeeze() for output in OUTPUTS])
    if name == "types.weight":
        return stored["types"]
    if name in ("words.weight", "places.weight"):
        name = name.removesuffix(".weight")
        return restored(stored[f"{name}.rows"], stored[f"{name}.scales"])
    if name in stored:
        return stored[name]
    return restored(stored[f"{name}.rows"], stored[f"{name}.scales"]).T  # a matrix stands transposed in the file


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="the chain's folder; gets earlier.pt")


def main(arguments):
    """Runs this step."""
    with tempfile.TemporaryDirectory() as folder:
        stored = stored_weights(fetch(COMMIT, FOLDER, SHA256, Path(folder)) / FILE)
    model = Reader(Trunk(TrunkShape(pieces=len(stored["words.rows"]))))
    values = {name: torch.from_numpy(value_of(stored, name).copy()) for name in model.state_dict()}
    model.load_state_dict(values)
    torch.save({"model": values, "shape": vars(model.shape), **TOLD}, arguments.out / "earlier.pt")
