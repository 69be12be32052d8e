"""The three graphs of a vision-language model, in plain ONNX operators."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from lightwell_training.decoder import graph as decoder_graph
from lightwell_training.graph.nodes import IR_VERSION, OPSET, Graph
from lightwell_training.vision.network import TOKENS
from lightwell_training.vision.scenes.scenes import SIDE, TILES


def model_of(graph, inputs, outputs):
    """The ONNX model around the nodes of `graph`."""
    body = helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.initializers)
    return helper.make_model(
        body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET)]
    )


def convolution(graph, name, x, module):
    """A Conv with its weight and, where there is one, its bias."""
    inputs = [graph.weight(f"{name}.weight", module.weight)]
    if module.bias is not None:
        inputs.append(graph.weight(f"{name}.bias", module.bias))
    settings = {
        "kernel_shape": list(module.kernel_size),
        "strides": list(module.stride),
        "pads": list(module.padding) * 2,
        "group": module.groups,
    }
    return graph.add("Conv", f"/{name.replace('.', '/')}/Conv", x, *inputs, **settings)


def silu(graph, path, x):
    """The product of x and its sigmoid."""
    return graph.add("Mul", f"{path}/Mul", x, graph.add("Sigmoid", f"{path}/Sigmoid", x))


def to_tokens(graph, path, grid, width):
    """[images, width, 12, 12] to [images, 144, width]."""
    flat = graph.add("Reshape", f"{path}/Reshape", grid, graph.constant([0, width, TOKENS]))
    return graph.add("Transpose", f"{path}/Transpose", flat, perm=[0, 2, 1])


def add_block(graph, index, x, module, width):
    """One block of the encoder."""
    name, path = f"encoder.blocks.{index}", f"/encoder/blocks.{index}"
    turned = graph.add(
        "Transpose", f"{path}/Transpose", graph.norm(f"{name}.spatial_norm", x, module.spatial_norm), perm=[0, 2, 1]
    )
    grid = graph.add("Reshape", f"{path}/Reshape", turned, graph.constant([0, width, TILES, TILES]))
    mixed = to_tokens(graph, f"{path}/spatial", convolution(graph, f"{name}.spatial", grid, module.spatial), width)
    x = graph.add("Add", f"{path}/Add", x, mixed)
    inner = graph.linear(f"{name}.up_proj", graph.norm(f"{name}.channel_norm", x, module.channel_norm), module.up_proj)
    return graph.add(
        "Add",
        f"{path}/Add_1",
        x,
        graph.linear(f"{name}.down_proj", silu(graph, f"{path}/act", inner), module.down_proj),
    )


def build_encoder(encoder):
    """pixel_values [images, 3, side, side] to image_features [images, 144, out]."""
    shape, graph, x = encoder.shape, Graph(), "pixel_values"
    for index, layer in enumerate(encoder.stem):
        x = convolution(
            graph, f"encoder.stem.{index}", x if index == 0 else silu(graph, f"/encoder/stem.{index}/act", x), layer
        )
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
    return model_of(
        graph,
        inputs,
        [helper.make_tensor_value_info("image_features", TensorProto.FLOAT, ["images", TOKENS, shape.out])],
    )


def build_embedding(decoder):
    """input_ids [batch, tokens] to inputs_embeds [batch, tokens, width].

    Rows are looked up before they are cast, so that only those are cast.
    """
    graph, name = Graph(), "model.embed_tokens.weight"
    graph.initializers.append(
        numpy_helper.from_array(decoder.embed_tokens.weight.detach().numpy().astype(np.float16), name)
    )
    rows = graph.add("Gather", "/model/embed_tokens/Gather", name, "input_ids", axis=0)
    graph.add("Cast", "/model/embed_tokens/Cast", rows, to=TensorProto.FLOAT, output="inputs_embeds")
    axes = ["batch_size", "sequence_length"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, axes)]
    return model_of(
        graph,
        inputs,
        [helper.make_tensor_value_info("inputs_embeds", TensorProto.FLOAT, [*axes, decoder.shape.hidden_size])],
    )


def build_decoder(decoder):
    """The graph of decoder/graph.py with embeddings for input; its embedding stays as the head."""
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
