"""Writes a checkpoint of train_vision.py as a hub folder of a vision-language model, in plain ONNX operators.

Three graphs: onnx/vision_encoder.onnx, onnx/embed_tokens.onnx and onnx/decoder_model_merged.onnx. Weights are float16 and cast to float32 in
the graphs; everything is computed in float32.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

import decoder_graph
from model import load_model
from onnx_graph import IR_VERSION, OPSET, Graph
from scenes import SIDE, TILE, TILES
from vision_model import DEVIATION, MEAN, TOKENS, PatchEncoder, VisionLanguage, VisionShape

LIMIT = 15_000_000  # bytes of the whole folder, which the page loads first
GRAPHS = ("vision_encoder", "embed_tokens", "decoder_model_merged")


def load_encoder(checkpoint):
    saved = torch.load(checkpoint, weights_only=False, map_location="cpu")
    encoder = PatchEncoder(VisionShape(**saved["vision_shape"]))
    encoder.load_state_dict(saved["encoder"])
    return encoder.eval()


def model_of(graph, inputs, outputs):
    body = helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.initializers)
    return helper.make_model(body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET)])


def convolution(graph, name, x, module):
    """A Conv with its weight and, where there is one, its bias."""
    inputs = [graph.weight(f"{name}.weight", module.weight)]
    if module.bias is not None:
        inputs.append(graph.weight(f"{name}.bias", module.bias))
    settings = {"kernel_shape": list(module.kernel_size), "strides": list(module.stride), "pads": list(module.padding) * 2, "group": module.groups}
    return graph.add("Conv", f"/{name.replace('.', '/')}/Conv", x, *inputs, **settings)


def silu(graph, path, x):
    return graph.add("Mul", f"{path}/Mul", x, graph.add("Sigmoid", f"{path}/Sigmoid", x))


def to_tokens(graph, path, grid, width):
    """[images, width, 12, 12] to [images, 144, width]."""
    flat = graph.add("Reshape", f"{path}/Reshape", grid, graph.constant([0, width, TOKENS]))
    return graph.add("Transpose", f"{path}/Transpose", flat, perm=[0, 2, 1])


def add_block(graph, index, x, module, width):
    """One block of the encoder."""
    name, path = f"encoder.blocks.{index}", f"/encoder/blocks.{index}"
    turned = graph.add("Transpose", f"{path}/Transpose", graph.norm(f"{name}.spatial_norm", x, module.spatial_norm), perm=[0, 2, 1])
    grid = graph.add("Reshape", f"{path}/Reshape", turned, graph.constant([0, width, TILES, TILES]))
    mixed = to_tokens(graph, f"{path}/spatial", convolution(graph, f"{name}.spatial", grid, module.spatial), width)
    x = graph.add("Add", f"{path}/Add", x, mixed)
    inner = graph.linear(f"{name}.up_proj", graph.norm(f"{name}.channel_norm", x, module.channel_norm), module.up_proj)
    return graph.add("Add", f"{path}/Add_1", x, graph.linear(f"{name}.down_proj", silu(graph, f"{path}/act", inner), module.down_proj))


def build_encoder(encoder):
    """pixel_values [images, 3, side, side] to image_features [images, 144, out]."""
    shape, graph, x = encoder.shape, Graph(), "pixel_values"
    for index, layer in enumerate(encoder.stem):
        x = convolution(graph, f"encoder.stem.{index}", x if index == 0 else silu(graph, f"/encoder/stem.{index}/act", x), layer)
    rows, columns = (graph.weight(f"encoder.{name}", getattr(encoder, name)) for name in ("rows", "columns"))
    table = graph.add("Add", "/encoder/positions/Add", rows, columns)
    table = graph.add("Reshape", "/encoder/positions/Reshape", table, graph.constant([1, TOKENS, shape.width]))
    x = graph.add("Add", "/encoder/Add", to_tokens(graph, "/encoder/stem", x, shape.width), table)
    for index, block in enumerate(encoder.blocks):
        x = add_block(graph, index, x, block, shape.width)
    x = graph.linear("encoder.proj", graph.norm("encoder.norm", x, encoder.norm), encoder.proj)
    x = graph.norm("encoder.out_norm", x, encoder.out_norm)
    graph.nodes[-1].output[0] = "image_features"
    inputs = [helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["images", 3, SIDE, SIDE])]
    return model_of(graph, inputs, [helper.make_tensor_value_info("image_features", TensorProto.FLOAT, ["images", TOKENS, shape.out])])


def build_embedding(decoder):
    """input_ids [batch, tokens] to inputs_embeds [batch, tokens, width]; rows are looked up before they are cast, so that little is."""
    graph, name = Graph(), "model.embed_tokens.weight"
    graph.initializers.append(numpy_helper.from_array(decoder.embed_tokens.weight.detach().numpy().astype(np.float16), name))
    rows = graph.add("Gather", "/model/embed_tokens/Gather", name, "input_ids", axis=0)
    graph.add("Cast", "/model/embed_tokens/Cast", rows, to=TensorProto.FLOAT, output="inputs_embeds")
    axes = ["batch_size", "sequence_length"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, axes)]
    return model_of(graph, inputs, [helper.make_tensor_value_info("inputs_embeds", TensorProto.FLOAT, [*axes, decoder.shape.hidden_size])])


def build_decoder(decoder):
    """The graph of decoder_graph.py with embeddings for input; its embedding stays as the head."""
    proto = decoder_graph.build(decoder)
    graph = proto.graph
    look_up = next(node for node in graph.node if node.op_type == "Gather" and "input_ids" in node.input)
    rows = look_up.output[0]
    graph.node.remove(look_up)
    for node in graph.node:
        node.input[:] = ["inputs_embeds" if name in (rows, "input_ids") else name for name in node.input]
    axes = ["batch_size", "sequence_length", decoder.shape.hidden_size]
    graph.input[0].CopyFrom(helper.make_tensor_value_info("inputs_embeds", TensorProto.FLOAT, axes))
    return proto


class Sessions:
    """The three graphs as the page runs them."""

    def __init__(self, folder, threads=1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        open_graph = lambda name: onnxruntime.InferenceSession(str(folder / "onnx" / f"{name}.onnx"), options, providers=["CPUExecutionProvider"])
        self.encoder, self.table, self.decoder = (open_graph(name) for name in GRAPHS)

    def rows(self, pixels, ids, first):
        """Embeddings of rows with one picture each from position `first` on."""
        rows = self.table.run(None, {"input_ids": ids})[0]
        rows[:, first:first + TOKENS] = self.encoder.run(None, {"pixel_values": pixels})[0]
        return rows

    def decode(self, rows, mask, positions, past=None):
        """Logits, and keys and values."""
        heads = self.decoder.get_inputs()[3:]
        empty = np.zeros((len(rows), heads[0].shape[1], 0, heads[0].shape[3]), np.float32)
        kept = dict(zip([item.name for item in heads], past or [empty] * len(heads)))
        return self.decoder.run(None, {"inputs_embeds": rows, "attention_mask": mask, "position_ids": positions, **kept})


def verify(folder, decoder, encoder):
    """Greatest differences, as shares of the greatest number: from torch in features, whole rows and rows behind a past that ends inside the picture;
    from whole rows with padding at the end, and without the batch.
    """
    sessions, source, first, length = Sessions(folder), np.random.default_rng(0), 5, TOKENS + 40
    pixels = source.uniform(-1, 1, (3, 3, SIDE, SIDE)).astype(np.float32)
    ids = source.integers(1, decoder.shape.vocab_size, (3, length))
    with torch.no_grad():
        features = encoder(torch.from_numpy(pixels)).numpy()
        expected = VisionLanguage(decoder, encoder)(torch.from_numpy(pixels), torch.from_numpy(ids), torch.full((3,), first)).numpy()
    rows, mask = sessions.rows(pixels, ids, first), np.ones((3, length), np.int64)
    positions, cut = np.arange(length)[None].repeat(3, 0), 90
    whole, *_ = sessions.decode(rows, mask, positions)
    _, *past = sessions.decode(rows[:, :cut], mask[:, :cut], positions[:, :cut])
    rest, *_ = sessions.decode(rows[:, cut:], mask, positions[:, cut:], past)
    wide = lambda array, value: np.concatenate([array, np.full((3, 7, *array.shape[2:]), value, array.dtype)], axis=1)
    padded, *_ = sessions.decode(wide(rows, 0.5), wide(mask, 0), wide(positions, 0))
    alone, *_ = sessions.decode(sessions.rows(pixels[1:2], ids[1:2], first), mask[:1], positions[:1])
    pairs = {"features": (sessions.encoder.run(None, {"pixel_values": pixels})[0], features), "whole": (whole, expected), "past": (rest, expected[:, cut:]),
             "padding": (padded[:, :length], whole), "batch": (alone, whole[1:2])}
    return {name: float(np.abs(a - b).max() / np.abs(b).max()) for name, (a, b) in pairs.items()}


def write_configs(out, tokenizer, shape, vision):
    """The JSON files of decoder_graph.py with the decoder's sizes under text_config, and those of the encoder."""
    end = json.loads(tokenizer.read_text())["added_tokens"][0]["id"]
    decoder_graph.write_configs(out, tokenizer, shape, end)
    text = json.loads((out / "config.json").read_text())
    config = {
        "architectures": ["LightwellForConditionalGeneration"], "model_type": "lightwell", "bos_token_id": end, "eos_token_id": end,
        "image_token_id": end, "image_seq_length": TOKENS, "tie_word_embeddings": True, "torch_dtype": "float32", "text_config": text,
        "vision_config": {"model_type": "lightwell_vision", "image_size": SIDE, "patch_size": TILE, "num_channels": 3, "hidden_size": vision.width,
                          "intermediate_size": vision.inner, "num_hidden_layers": vision.blocks, "stem_channels": list(vision.stem)},
    }
    processor = {"do_resize": True, "size": {"height": SIDE, "width": SIDE}, "resample": 2, "do_rescale": True, "rescale_factor": 1 / 255,
                 "do_normalize": True, "image_mean": [MEAN] * 3, "image_std": [DEVIATION] * 3}
    for name, values in (("config", config), ("preprocessor_config", processor)):
        (out / f"{name}.json").write_text(json.dumps(values, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    (decoder, state), encoder = load_model(arguments.checkpoint), load_encoder(arguments.checkpoint)
    for parameter in (*decoder.parameters(), *encoder.parameters()):  # compare with what is stored
        parameter.data = parameter.data.half().float()
    (arguments.out / "onnx").mkdir(parents=True, exist_ok=True)
    for name, proto in zip(GRAPHS, (build_encoder(encoder), build_embedding(decoder), build_decoder(decoder))):
        onnx.checker.check_model(proto, full_check=True)
        onnx.save(proto, str(arguments.out / "onnx" / f"{name}.onnx"))
    differences = verify(arguments.out, decoder, encoder)
    write_configs(arguments.out, arguments.tokenizer, decoder.shape, encoder.shape)
    size = sum(path.stat().st_size for path in arguments.out.rglob("*") if path.is_file())
    print(f"step {state['step']}: {size} bytes, greatest differences {differences}")
    if max(differences.values()) > 1e-5 or size > LIMIT:
        raise SystemExit("the folder is wrong or too large")


if __name__ == "__main__":
    main()
