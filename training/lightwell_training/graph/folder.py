"""What the exporters share: the options of a step, and the files of a hub folder."""

import json
from pathlib import Path

import onnx


def add_folder_options(parser):
    """The options of a step that makes a folder of a checkpoint and its tokenizer."""
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    add_out_option(parser)


def add_out_option(parser):
    """The option that every exporter has."""
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def graph_path(out, name):
    """Where the folder has the graph of this name; the folders above it are made."""
    (out / "onnx").mkdir(parents=True, exist_ok=True)
    return out / "onnx" / f"{name}.onnx"


def write_graph(proto, path):
    """Writes a graph that ONNX finds sound."""
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, str(path))


def write_json(out, values_of):
    """Writes NAME.json for each name."""
    for name, values in values_of.items():
        (out / f"{name}.json").write_text(json.dumps(values, indent=2) + "\n")
