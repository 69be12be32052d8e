"""The trunk as an ONNX graph in plain operators, which a program that loads the file can find and control.

Matrices and word embeddings are int8 with a scale per output or row. The graph widens them to float32; ONNX Runtime
does that once for matrices, when it loads the file. Everything is computed in float32.
"""

import numpy as np
import torch
from onnx import TensorProto, helper

from lightwell_training.graph.nodes import IR_VERSION, OPSET, Graph
from lightwell_training.graph.rows import quantise, restored
from lightwell_training.trunk.network import HIDDEN


def numbers(parameter):
    """The values of a parameter, float32."""
    return parameter.detach().numpy()


class TrunkGraph(Graph):
    """Graph with the operators of the trunk; each method adds and returns the name of what it made."""

    def real(self, value):
        """A float32 constant."""
        return self.constant(value, np.float32)

    def cast(self, path, x, to=TensorProto.FLOAT):
        return self.add("Cast", f"{path}/Cast", x, to=to)

    def sum(self, path, x, axis, keepdims=1):
        return self.add("ReduceSum", f"{path}/ReduceSum", x, self.constant([axis]), keepdims=keepdims)

    def unsqueeze(self, path, x, axes):
        return self.add("Unsqueeze", f"{path}/Unsqueeze", x, self.constant(axes))

    def look_up(self, path, table, indices, to=None):
        """Rows of a table, widened after the look-up, so that only what is asked for is converted."""
        found = self.add("Gather", f"{path}/Gather", table, indices, axis=0)
        return found if to is None else self.cast(path, found, to)

    def quantised_rows(self, name, values, indices):
        """Rows of a table that is stored as int8 with a scale per row."""
        rows, scales = quantise(values)
        path = "/" + name.replace(".", "/")
        found = self.look_up(f"{path}/rows", self.table(f"{name}.rows", rows), indices, TensorProto.FLOAT)
        factors = self.look_up(f"{path}/scales", self.table(f"{name}.scales", scales), indices, TensorProto.FLOAT)
        return self.add("Mul", f"{path}/Mul", found, factors)

    def quantised_matrix(self, name, values):
        """A float32 matrix [in, out] of a layer's weights [out, in], stored as int8 with a scale per output."""
        rows, scales = quantise(values)
        path = "/" + name.replace(".", "/")
        whole = self.cast(f"{path}/whole", self.table(f"{name}.rows", np.ascontiguousarray(rows.T)))
        factors = self.cast(f"{path}/scale", self.table(f"{name}.scales", np.ascontiguousarray(scales.T)))
        return self.add("Mul", f"{path}/Mul", whole, factors)

    def dense(self, name, x, module):
        """A linear layer with its bias."""
        path = "/" + name.replace(".", "/")
        product = self.add(
            "MatMul", f"{path}/MatMul", x, self.quantised_matrix(f"{name}.weight", numbers(module.weight))
        )
        return self.add("Add", f"{path}/Add", product, self.table(f"{name}.bias", numbers(module.bias)))

    def layer_norm(self, name, x, module):
        path = "/" + name.replace(".", "/")
        weight, bias = (self.table(f"{name}.{part}", numbers(getattr(module, part))) for part in ("weight", "bias"))
        return self.add(
            "LayerNormalization", f"{path}/LayerNormalization", x, weight, bias, axis=-1, epsilon=module.eps
        )

    def gelu(self, path, x):
        """X / 2 times (1 + erf(x / root of 2))."""
        bent = self.add("Erf", f"{path}/Erf", self.add("Mul", f"{path}/Mul", x, self.real(0.5**0.5)))
        half = self.add("Mul", f"{path}/Mul_1", x, self.real(0.5))
        return self.add("Mul", f"{path}/Mul_2", half, self.add("Add", f"{path}/Add", bent, self.real(1.0)))

    def unit(self, path, x):
        """X over its length along the last axis; zeros stay zeros."""
        squares = self.sum(path, self.add("Mul", f"{path}/Square", x, x), -1)
        length = self.add("Sqrt", f"{path}/Sqrt", self.add("Add", f"{path}/Add", squares, self.real(1e-12)))
        return self.add("Div", f"{path}/Div", x, length)

    def count(self, path, name):
        """The positions 0, 1, 2 … of an input [batch, tokens], int64 [tokens]."""
        shape = self.add("Shape", f"{path}/Shape", name)
        tokens = self.add("Gather", f"{path}/Gather", shape, self.constant(1), axis=0)
        return self.add("Range", f"{path}/Range", self.constant(0), tokens, self.constant(1))


def hidden_bias(graph, path, seen):
    """What is added to scores: HIDDEN where `seen` is 0.0, and 0 where it is 1.0."""
    return graph.add("Mul", f"{path}/Mul", graph.add("Sub", f"{path}/Sub", graph.real(1.0), seen), graph.real(HIDDEN))


def add_layer(graph, index, x, layer, bias):
    """As network.Layer."""
    name, path = f"layers.{index}", f"/layers/{index}"
    width = layer.query.in_features
    size = width // layer.heads

    def heads(part, order):
        flat = graph.dense(f"{name}.{part}", x, getattr(layer, part))
        split = graph.add("Reshape", f"{path}/{part}/Reshape", flat, graph.constant([0, 0, layer.heads, size]))
        return graph.add("Transpose", f"{path}/{part}/Transpose", split, perm=order)

    scores = graph.add("MatMul", f"{path}/scores/MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
    scores = graph.add("Mul", f"{path}/scores/Mul", scores, graph.real(size**-0.5))
    weights = graph.add("Softmax", f"{path}/Softmax", graph.add("Add", f"{path}/scores/Add", scores, bias), axis=-1)
    mixed = graph.add("MatMul", f"{path}/mixed/MatMul", weights, heads("value", [0, 2, 1, 3]))
    mixed = graph.add("Transpose", f"{path}/mixed/Transpose", mixed, perm=[0, 2, 1, 3])
    flat = graph.add("Reshape", f"{path}/mixed/Reshape", mixed, graph.constant([0, 0, width]))
    attended = graph.add("Add", f"{path}/attended/Add", x, graph.dense(f"{name}.output", flat, layer.output))
    x = graph.layer_norm(f"{name}.attention_norm", attended, layer.attention_norm)
    inner = graph.gelu(f"{path}/gelu", graph.dense(f"{name}.up", x, layer.up))
    fed = graph.add("Add", f"{path}/fed/Add", x, graph.dense(f"{name}.down", inner, layer.down))
    return graph.layer_norm(f"{name}.feed_norm", fed, layer.feed_norm)


def add_trunk(graph, trunk, positions, types, bias):
    """States [batch, tokens, width] of `input_ids`.

    `positions` are int64 [tokens] or [batch, tokens]; `types` int64 [batch, tokens], or None for type 0 everywhere.
    """
    x = graph.quantised_rows("words", numbers(trunk.words.weight), "input_ids")
    places = graph.quantised_rows("places", numbers(trunk.places.weight), positions)
    kinds = graph.table("types", numbers(trunk.types.weight) if types else numbers(trunk.types.weight)[0])
    kinds = graph.look_up("/types", kinds, types) if types else kinds
    x = graph.add("Add", "/types/Add", graph.add("Add", "/types/Add_1", x, places), kinds)
    x = graph.layer_norm("norm", x, trunk.norm)
    for index, layer in enumerate(trunk.layers):
        x = add_layer(graph, index, x, layer, bias)
    return x


def round_as_stored(trunk):
    """Changes a trunk to what its file holds, so that the two can be compared."""
    modules = [
        trunk.words,
        trunk.places,
        *(part for part in trunk.layers.modules() if isinstance(part, torch.nn.Linear)),
    ]
    for module in modules:
        module.weight.data = torch.from_numpy(restored(*quantise(numbers(module.weight))))


def model_of(graph, inputs, outputs):
    """The ONNX model around the nodes; `inputs` and `outputs` are lists of (name, type, shape)."""
    values = [[helper.make_tensor_value_info(*value) for value in side] for side in (inputs, outputs)]
    body = helper.make_graph(graph.nodes, "main_graph", *values, graph.initializers)
    opset = [helper.make_opsetid("", OPSET)]
    return helper.make_model(body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=opset)
