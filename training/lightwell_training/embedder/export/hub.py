"""Writes a checkpoint as a hub folder: config, tokenizer and onnx/model.onnx, checked against torch.

Word embeddings are int8 with a scale per row, other weights float16; everything is computed in float32.
"""

import shutil

import numpy as np
import onnxruntime
import torch

from lightwell_training.embedder.data.tokenizer import PADDING, PREFIXES, SPECIALS
from lightwell_training.embedder.export.build import build
from lightwell_training.embedder.network.network import Embedder, Shape
from lightwell_training.graph.folder import add_folder_options, graph_path, write_graph, write_json
from lightwell_training.graph.rows import quantise, restored
from lightwell_training.manifest import update

ALLOWED = {"torch": 1e-4, "padding": 1e-5, "batch": 1e-5}


def load_model(path):
    """The network of a checkpoint, ready to measure, and the whole checkpoint."""
    state = torch.load(path, weights_only=False, map_location="cpu")
    buffers = state["model"]
    model = Embedder(Shape(**state["shape"]), buffers["row_of"], buffers["term_of"])
    model.load_state_dict(buffers)
    return model.eval(), state


def round_as_stored(model):
    """Changes a model to what its file holds, so that the two can be compared."""
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()
    whole, scales = quantise(model.words.weight.data.numpy())
    model.words.weight.data = torch.from_numpy(restored(whole, scales))
    return whole, scales


def run_graph(session, ids, mask, token_weights=None):
    """(embeddings, hidden states) of int64 arrays [batch, tokens]."""
    weights = np.ones(ids.shape, np.float32) if token_weights is None else token_weights
    return session.run(
        ["sentence_embedding", "last_hidden_state"],
        {"input_ids": ids, "attention_mask": mask, "token_weights": weights},
    )


def verify(path, model):
    """Greatest differences from torch, under padding, and between a text alone and in a batch.

    The last value is not a fault: it says how much a token's weight changes.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(0)
    ids = random.integers(len(SPECIALS), model.shape.pieces, (6, 60))
    ids[:, 0] = [1, 2, 3, 1, 2, 3]
    mask = (np.arange(60)[None] < np.array([60, 1, 2, 33, 60, 17])[:, None]).astype(np.int64)
    weights = random.random(ids.shape).astype(np.float32)
    plain, hidden = run_graph(session, ids, mask)
    with torch.no_grad():
        expected = [
            model(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(chosen))
            for chosen in (np.ones_like(weights), weights)
        ]
        states = model.hidden_states(torch.from_numpy(ids), torch.from_numpy(mask))
    weighted, _ = run_graph(session, ids, mask, weights)
    longer = run_graph(session, np.pad(ids, ((0, 0), (0, 9)), constant_values=7), np.pad(mask, ((0, 0), (0, 9))))[0]
    alone = np.concatenate(
        [
            run_graph(session, row[None, :count], np.ones((1, count), np.int64))[0]
            for row, count in zip(ids, mask.sum(1))
        ]
    )
    seen = mask[..., None].astype(bool)
    torch_differences = [
        np.abs(plain - expected[0].numpy()).max(),
        np.abs(weighted - expected[1].numpy()).max(),
        (np.abs(hidden - states.numpy()) * seen).max(),
    ]
    return {
        "torch": max(torch_differences),
        "padding": np.abs(longer - plain).max(),
        "batch": np.abs(alone - plain).max(),
        "weights change": np.abs(weighted - plain).max(),
    }


def write_configs(out, tokenizer, shape):
    """The JSON files that a hub folder has beside the graph."""
    config = {
        "architectures": ["LightwellEmbedder"],
        "model_type": "lightwell-embedder",
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "head_dim": shape.head_size,
        "intermediate_size": shape.feed,
        "max_position_embeddings": shape.max_positions,
        "vocab_size": shape.pieces,
        "embedding_size": shape.size,
        "dense_size": shape.dense,
        "matryoshka_dimensions": [shape.compact, shape.dense, shape.size],
        "pad_token_id": 0,
        "torch_dtype": "float32",
    }
    tokens = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": shape.max_positions,
        "clean_up_tokenization_spaces": False,
        "padding_side": "right",
        "pad_token": PADDING,
        "added_tokens_decoder": {
            str(index): {
                "content": text,
                "lstrip": False,
                "normalized": False,
                "rstrip": False,
                "single_word": False,
                "special": True,
            }
            for index, text in enumerate(SPECIALS)
        },
    }
    prompts = {"prompts": PREFIXES, "default_prompt_name": "symmetric", "similarity_fn_name": "cosine"}
    write_json(out, {"config": config, "tokenizer_config": tokens, "config_sentence_transformers": prompts})
    shutil.copyfile(tokenizer, out / "tokenizer.json")


def add_options(parser):
    """Adds the options of this step."""
    add_folder_options(parser)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(1)
    model, state = load_model(arguments.checkpoint)
    path = graph_path(arguments.out, "model")
    written = path.with_suffix(".onnx.new")
    write_graph(build(model, round_as_stored(model)), written)
    differences = verify(written, model)
    if any(differences[name] > most for name, most in ALLOWED.items()):
        raise SystemExit(f"the graph differs from the checkpoint: {differences}")
    written.replace(path)
    write_configs(arguments.out, arguments.tokenizer, model.shape)
    update(arguments.out)
    print(f"step {state['state']['step']}: {path.stat().st_size} bytes, greatest differences {differences}")
