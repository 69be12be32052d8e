"""Writes the reader as a hub folder: config, tokenizer and onnx/model.onnx, checked against torch."""

import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto

from lightwell_training.graph.folder import add_out_option, graph_path, write_graph, write_json
from lightwell_training.graph.manifest import update
from lightwell_training.reader.network import load_checkpoint
from lightwell_training.trunk.graph import TrunkGraph, add_trunk, hidden_bias, model_of, numbers, round_as_stored
from lightwell_training.trunk.hub import bert_config, tokenizer_config

ALLOWED = 1e-3  # greatest difference of a logit between graph and torch, and between a sequence alone and in a batch
TOKENS = ["batch_size", "sequence_length"]
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("start_logits", "end_logits")


def build(model):
    """The graph of a reader."""
    graph = TrunkGraph()
    mask = graph.unsqueeze("/mask", graph.cast("/mask", "attention_mask"), [1, 2])
    order = graph.count("/order", "input_ids")
    states = add_trunk(graph, model.trunk, order, "token_type_ids", hidden_bias(graph, "/hidden", mask))
    for index, output in enumerate(OUTPUTS):
        weight = graph.table(f"span.{output}.weight", np.ascontiguousarray(numbers(model.span.weight)[index][:, None]))
        product = graph.add("MatMul", f"/span/{output}/MatMul", states, weight)
        bias = graph.table(f"span.{output}.bias", numbers(model.span.bias)[index])
        logits = graph.add("Add", f"/span/{output}/Add", product, bias)
        graph.add("Squeeze", f"/span/{output}/Squeeze", logits, graph.constant([2]), output=output)
    return graph


def write_model(model, path):
    """Writes the graph of a model."""
    inputs = [(name, TensorProto.INT64, TOKENS) for name in INPUTS]
    outputs = [(name, TensorProto.FLOAT, TOKENS) for name in OUTPUTS]
    write_graph(model_of(build(model), inputs, outputs), path)


def verify(path, model):
    """Greatest differences of logits: between graph and torch in passages, and of a sequence alone and in a batch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    random, lengths = np.random.default_rng(0), np.array([60, 20, 300])
    ids = random.integers(4, model.shape.pieces, (3, 300))
    mask = (np.arange(300) < lengths[:, None]).astype(np.int64)
    types = (np.arange(300) >= 12).astype(np.int64) * mask
    together = session.run(None, dict(zip(INPUTS, (ids, mask, types))))
    with torch.no_grad():
        expected = model(*map(torch.from_numpy, (ids, mask, types))).numpy()
    found, allowed = {"torch": 0.0, "batch": 0.0}, types > 0
    for row, length in enumerate(lengths):
        alone = session.run(None, dict(zip(INPUTS, (part[row : row + 1, :length] for part in (ids, mask, types)))))
        for got, single, wanted in zip(together, alone, expected):
            found["torch"] = max(found["torch"], float(np.abs(got - wanted)[row][allowed[row]].max()))
            found["batch"] = max(found["batch"], float(np.abs(got[row, :length] - single[0]).max()))
    return found


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--calibration", type=Path, required=True, help="written by the step calibrate")
    add_out_option(parser)


def main(arguments):
    """Runs this step."""
    model, saved = load_checkpoint(arguments.checkpoint)
    path = graph_path(arguments.out, "model")
    written = path.with_suffix(".onnx.new")
    write_model(model, written)
    round_as_stored(model.trunk)
    differences = verify(written, model)
    if max(differences.values()) > ALLOWED:
        raise SystemExit(f"the graph differs from the checkpoint: {differences}")
    written.replace(path)
    calibration = json.loads(arguments.calibration.read_text())
    config = bert_config("LightwellReaderForQuestionAnswering", "lightwell-reader", model.shape)
    config["answer_calibration"] = {name: calibration[name] for name in ("scale", "bias")}
    write_json(arguments.out, {"config": config, "tokenizer_config": tokenizer_config(model.shape.positions)})
    shutil.copyfile(arguments.tokenizer, arguments.out / "tokenizer.json")
    update(arguments.out)
    print(f"step {saved['state']['step']}: {path.stat().st_size} bytes, greatest differences {differences}")
