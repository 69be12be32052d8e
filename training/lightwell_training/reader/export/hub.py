"""Writes a checkpoint as the hub folder of the reader, and compares the graph with torch."""

import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from lightwell_training.graph.folder import add_out_option, graph_path, write_graph, write_json
from lightwell_training.graph.manifest import update
from lightwell_training.graph.rows import quantise, restored
from lightwell_training.reader.checkpoint import load_checked
from lightwell_training.reader.data.pieces import CLS_ID, PAD_ID, SEP_ID, write_config
from lightwell_training.reader.export.build import build

POSITIONS = 512


def round_weights(model):
    """Makes the network compute with the weights as they are stored."""
    tables = {name: restored(*quantise(getattr(model.reader, name).detach().numpy())) for name in ("vectors", "own")}
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()
    for name, values in tables.items():
        getattr(model.reader, name).data.copy_(torch.from_numpy(values))


def verify(path, model):
    """Greatest differences from torch (alone, and at full length), and between a row alone and in a padded batch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    random, sizes, rows = np.random.default_rng(0), [(9, 40), (14, 150), (26, POSITIONS - 29)], []
    for asked, told in sizes:
        question = random.integers(300, 6000, asked)
        passage = np.where(random.random(told) < 0.2, random.choice(question, told), random.integers(3, 6000, told))
        rows.append((np.r_[CLS_ID, question, SEP_ID], np.r_[passage, SEP_ID]))
    together = np.zeros((3, len(rows), POSITIONS), np.int64)
    for row, (question, passage) in enumerate(rows):
        size = len(question) + len(passage)
        together[:, row, :size] = (
            np.r_[question, passage],
            np.ones(size),
            np.r_[np.zeros(len(question)), np.ones(len(passage))],
        )
    names = ("input_ids", "attention_mask", "token_type_ids")
    batch, differences = session.run(None, dict(zip(names, together))), {"torch": 0.0, "batch and padding": 0.0}
    for row, (question, passage) in enumerate(rows):
        size = len(question) + len(passage)
        alone = session.run(None, dict(zip(names, together[:, row : row + 1, :size])))
        with torch.no_grad():
            expected = model(torch.from_numpy(question)[None], torch.from_numpy(passage)[None])
        for got, in_batch, wanted in zip(alone, batch, expected):
            places = np.r_[0, np.arange(len(question), size - 1)]
            differences["torch"] = max(differences["torch"], np.abs(got[0][places] - wanted[0].numpy()[:-1]).max())
            differences["batch and padding"] = max(
                differences["batch and padding"], np.abs(got[0][places] - in_batch[row][places]).max()
            )
    return {name: float(value) for name, value in differences.items()}


def config(model, calibration):
    """The hub's config.json. The type is our own: no library has this network."""
    shape = model.shape
    return {
        "architectures": ["LightwellReaderForQuestionAnswering"],
        "model_type": "lightwell-reader",
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_attention_heads": shape.heads,
        "num_hidden_layers": len(shape.rounds),
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "vocab_size": len(model.table_fold),
        "pad_token_id": PAD_ID,
        "cls_token_id": CLS_ID,
        "sep_token_id": SEP_ID,
        "torch_dtype": "float32",
        "answer_calibration": calibration,
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--check", type=Path, required=True, help="written by the step train-check")
    parser.add_argument("--calibration", type=Path, required=True, help="written by the step calibrate")
    add_out_option(parser)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(1)
    model, state = load_checked(arguments.checkpoint, arguments.check, arguments.corpus)
    path = graph_path(arguments.out, "model")
    written = path.with_suffix(".onnx.new")
    write_graph(build(model), written)
    round_weights(model)
    differences = verify(written, model)
    if differences["torch"] > 1e-3 or differences["batch and padding"] > 1e-4:
        raise SystemExit(f"the graph differs from the checkpoint: {differences}")
    written.replace(path)
    shutil.copyfile(arguments.corpus / "tokenizer.json", arguments.out / "tokenizer.json")
    write_config(arguments.out, POSITIONS)
    calibration = json.loads(arguments.calibration.read_text())
    chosen = {name: calibration[name] for name in ("scale", "bias")}
    write_json(arguments.out, {"config": config(model.reader, chosen)})
    update(arguments.out)
    print(f"step {state['step']}: {path.stat().st_size} bytes, greatest differences {differences}")
