"""Writes the embedder as a hub folder: config, tokenizer and onnx/model.onnx, checked against torch."""

import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto

from lightwell_training.embedder.graph import build
from lightwell_training.embedder.network import Embedder, Shape
from lightwell_training.embedder.terms import REPRESENTATIONS
from lightwell_training.graph.folder import add_out_option, graph_path, write_graph, write_json
from lightwell_training.graph.manifest import update
from lightwell_training.graph.rows import quantise, restored
from lightwell_training.trunk.graph import model_of, round_as_stored
from lightwell_training.trunk.hub import bert_config, tokenizer_config

ALLOWED = 1e-4  # greatest difference of a coordinate between graph and torch, and between a text alone and in a batch
TOKENS, FLOAT = ["batch_size", "sequence_length"], TensorProto.FLOAT


def load_model(path):
    """The network of a checkpoint, ready to measure."""
    saved = torch.load(path, weights_only=True)
    model = Embedder(Shape(**saved["shape"]), saved["model"]["term_of"])
    model.load_state_dict(saved["model"])
    return model.eval()


def write_model(model, path):
    """Writes the graph of a model."""
    shape = model.shape
    inputs = [("input_ids", TensorProto.INT64, TOKENS), ("attention_mask", TensorProto.INT64, TOKENS)]
    outputs = [
        ("sentence_embedding", FLOAT, ["batch_size", shape.size]),
        ("last_hidden_state", FLOAT, [*TOKENS, shape.dense]),
    ]
    write_graph(model_of(build(model), [*inputs, ("token_weights", FLOAT, TOKENS)], outputs), path)


def run_graph(session, ids, mask, weights=None):
    """Embeddings of int64 arrays [batch, tokens]."""
    weights = np.ones(ids.shape, np.float32) if weights is None else weights
    feeds = {"input_ids": ids, "attention_mask": mask, "token_weights": weights}
    return session.run(["sentence_embedding"], feeds)[0]


def probes(shape):
    """Random ids with and without a special token, their mask and weights."""
    random = np.random.default_rng(0)
    ids = random.integers(4, shape.pieces - len(REPRESENTATIONS), (5, 60))
    ids[:3, 0] = np.arange(shape.pieces - len(REPRESENTATIONS), shape.pieces)
    mask = (np.arange(60)[None] < np.array([60, 3, 33, 60, 17])[:, None]).astype(np.int64)
    return ids, mask, random.random(ids.shape).astype(np.float32)


def verify(path, model):
    """Greatest differences between the graph and torch, with weights and without, and of texts alone and in a batch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    ids, mask, weights = probes(model.shape)
    together = run_graph(session, ids, mask)
    with torch.no_grad():
        expected = [model(*map(torch.from_numpy, values)).numpy() for values in ((ids, mask), (ids, mask, weights))]
    found = {"torch": together - expected[0], "torch, weights": run_graph(session, ids, mask, weights) - expected[1]}
    alone = [
        run_graph(session, row[None, :count], np.ones((1, count), np.int64)) for row, count in zip(ids, mask.sum(1))
    ]
    return {
        name: float(np.abs(part).max()) for name, part in (found | {"batch": together - np.concatenate(alone)}).items()
    }


def write_configs(out, tokenizer, model):
    """The JSON files that a hub folder has beside the graph."""
    shape, trunk = model.shape, model.trunk.shape
    config = bert_config("LightwellEmbedder", "lightwell-embedder", trunk) | {
        "max_position_embeddings": shape.longest,
        "embedding_size": shape.size,
        "dense_size": shape.dense,
        "matryoshka_dimensions": [shape.compact, shape.dense, shape.size],
    }
    prompts = {"prompts": REPRESENTATIONS, "default_prompt_name": "symmetric", "similarity_fn_name": "cosine"}
    write_json(
        out,
        {
            "config": config,
            "tokenizer_config": tokenizer_config(shape.longest) | {"tokenizer_class": "PreTrainedTokenizerFast"},
            "config_sentence_transformers": prompts,
        },
    )
    shutil.copyfile(tokenizer, out / "tokenizer.json")


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    add_out_option(parser)


def main(arguments):
    """Runs this step."""
    model = load_model(arguments.checkpoint)
    path = graph_path(arguments.out, "model")
    written = path.with_suffix(".onnx.new")
    write_model(model, written)
    round_as_stored(model.trunk)
    model.heads.data = torch.stack([torch.from_numpy(restored(*quantise(head.numpy()))) for head in model.heads.data])
    model.term_weight.data = model.term_weight.data.half().float()
    differences = verify(written, model)
    if max(differences.values()) > ALLOWED:
        raise SystemExit(f"the graph differs from the checkpoint: {differences}")
    written.replace(path)
    write_configs(arguments.out, arguments.tokenizer, model)
    update(arguments.out)
    print(f"{path.stat().st_size} bytes, greatest differences {differences}")
