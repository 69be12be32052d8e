"""Writes a checkpoint of train_joint.py as a hub folder of a vision-language model, in plain ONNX operators.

Three graphs: onnx/vision_encoder.onnx, onnx/embed_tokens.onnx and onnx/decoder_model_merged.onnx. Weights are float16
and cast to float32 in the graphs; everything is computed in float32.
"""

import json

import numpy as np
import torch

from lightwell_training.decoder import graph as decoder_graph
from lightwell_training.decoder.network import load_model
from lightwell_training.graph.folder import add_folder_options, graph_path, write_graph, write_json
from lightwell_training.graph.manifest import update
from lightwell_training.vision.export.graphs import (
    build_decoder,
    build_embedding,
    build_encoder,
)
from lightwell_training.vision.export.sessions import GRAPHS, Sessions
from lightwell_training.vision.network import DEVIATION, MEAN, TOKENS, PatchEncoder, VisionLanguage, VisionShape
from lightwell_training.vision.scenes.scenes import SIDE, TILE

LIMIT = 15_000_000  # bytes of the whole folder, which the page loads first


def load_encoder(checkpoint):
    """The encoder of a checkpoint, ready to measure."""
    saved = torch.load(checkpoint, weights_only=False, map_location="cpu")
    encoder = PatchEncoder(VisionShape(**saved["vision_shape"]))
    encoder.load_state_dict(saved["encoder"])
    return encoder.eval()


def verify(folder, decoder, encoder):
    """Greatest differences, as shares of the greatest number.

    From torch: features, whole rows, and rows behind a past that ends inside the picture. From whole rows: padding at
    the end, and a row without the batch.
    """
    sessions, source, first, length = Sessions(folder), np.random.default_rng(0), 5, TOKENS + 40
    pixels = source.uniform(-1, 1, (3, 3, SIDE, SIDE)).astype(np.float32)
    ids = source.integers(1, decoder.shape.vocab_size, (3, length))
    with torch.no_grad():
        features = encoder(torch.from_numpy(pixels)).numpy()
        expected = VisionLanguage(decoder, encoder)(
            torch.from_numpy(pixels), torch.from_numpy(ids), torch.full((3,), first)
        ).numpy()
    rows, mask = sessions.rows(pixels, ids, first), np.ones((3, length), np.int64)
    positions, cut = np.arange(length)[None].repeat(3, 0), 90
    whole, *_ = sessions.decode(rows, mask, positions)
    _, *past = sessions.decode(rows[:, :cut], mask[:, :cut], positions[:, :cut])
    rest, *_ = sessions.decode(rows[:, cut:], mask, positions[:, cut:], past)

    def wide(array, value):
        return np.concatenate([array, np.full((3, 7, *array.shape[2:]), value, array.dtype)], axis=1)

    padded, *_ = sessions.decode(wide(rows, 0.5), wide(mask, 0), wide(positions, 0))
    alone, *_ = sessions.decode(sessions.rows(pixels[1:2], ids[1:2], first), mask[:1], positions[:1])
    pairs = {
        "features": (sessions.encoder.run(None, {"pixel_values": pixels})[0], features),
        "whole": (whole, expected),
        "past": (rest, expected[:, cut:]),
        "padding": (padded[:, :length], whole),
        "batch": (alone, whole[1:2]),
    }
    return {name: float(np.abs(a - b).max() / np.abs(b).max()) for name, (a, b) in pairs.items()}


def write_configs(out, tokenizer, shape, vision):
    """The JSON files of decoder/graph.py with the decoder's sizes under text_config, and those of the encoder."""
    end = json.loads(tokenizer.read_text())["added_tokens"][0]["id"]
    decoder_graph.write_configs(out, tokenizer, shape, end)
    text = json.loads((out / "config.json").read_text())
    config = {
        "architectures": ["LightwellForConditionalGeneration"],
        "model_type": "lightwell",
        "bos_token_id": end,
        "eos_token_id": end,
        "image_token_id": end,
        "image_seq_length": TOKENS,
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        "text_config": text,
        "vision_config": {
            "model_type": "lightwell_vision",
            "image_size": SIDE,
            "patch_size": TILE,
            "num_channels": 3,
            "hidden_size": vision.width,
            "intermediate_size": vision.inner,
            "num_hidden_layers": vision.blocks,
            "stem_channels": list(vision.stem),
        },
    }
    processor = {
        "do_resize": True,
        "size": {"height": SIDE, "width": SIDE},
        "resample": 2,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [MEAN] * 3,
        "image_std": [DEVIATION] * 3,
    }
    write_json(out, {"config": config, "preprocessor_config": processor})


def add_options(parser):
    """Adds the options of this step."""
    add_folder_options(parser)


def main(arguments):
    """Runs this step."""
    torch.set_num_threads(1)
    (decoder, state), encoder = load_model(arguments.checkpoint), load_encoder(arguments.checkpoint)
    for parameter in (*decoder.parameters(), *encoder.parameters()):  # compare with what is stored
        parameter.data = parameter.data.half().float()
    for name, proto in zip(GRAPHS, (build_encoder(encoder), build_embedding(decoder), build_decoder(decoder))):
        write_graph(proto, graph_path(arguments.out, name))
    differences = verify(arguments.out, decoder, encoder)
    write_configs(arguments.out, arguments.tokenizer, decoder.shape, encoder.shape)
    size = sum(path.stat().st_size for path in arguments.out.rglob("*") if path.is_file())
    print(f"step {state['step']}: {size} bytes, greatest differences {differences}")
    if max(differences.values()) > 1e-5 or size > LIMIT:
        raise SystemExit("the folder is wrong or too large")
    update(arguments.out)
