"""The reader as an ONNX graph in plain operators, over one sequence [CLS] question [SEP] passage [SEP] instead of two.

Weights are stored as float16 and cast to float32 in the graph; everything is computed in float32. The question is cut
off the front of the sequence, as long as the longest one of the batch.
"""

import numpy as np
from onnx import TensorProto, helper

from lightwell_training.graph.nodes import IR_VERSION, OPSET, Graph
from lightwell_training.reader.network.layers import DECAYS, HIDDEN
from lightwell_training.reader.network.matching import REACHES

FLOAT = np.float32


class ReaderGraph(Graph):
    """Graph with the operators of the reader. Values are names of tensors; constants are made on the way."""

    def op(self, kind, *inputs, **attributes):
        """A node with a name of its own; numbers among the inputs become float constants."""
        names = [value if isinstance(value, str) else self.constant(value, FLOAT) for value in inputs]
        return self.add(kind, f"/reader/{kind}_{len(self.nodes)}", *names, **attributes)

    def cast(self, x, kind=TensorProto.FLOAT):
        return self.op("Cast", x, to=kind)

    def whole(self, *values):
        """An int64 constant vector."""
        return self.constant(list(values))

    def unsqueeze(self, x, *axes):
        return self.op("Unsqueeze", x, self.whole(*axes))

    def slice(self, x, start, stop, axis):
        return self.op(
            "Slice", x, *(value if isinstance(value, str) else self.whole(value) for value in (start, stop, axis))
        )

    def total(self, x, axis, keep=1):
        return self.op("ReduceSum", x, self.whole(axis), keepdims=keep)

    def rows(self, name, values, ids):
        """Rows of a constant int32 table."""
        return self.op("Gather", self.table(name, values.numpy().astype(np.int32)), ids, axis=0)

    def silu(self, x):
        return self.op("Mul", x, self.op("Sigmoid", x))

    def concat(self, axis, *parts):
        return self.op("Concat", *parts, axis=axis)

    def turn(self, x, *order):
        return self.op("Transpose", x, perm=list(order))

    def at_most_one(self, x):
        return self.op("Min", x, 1.0)

    def hide(self, mask):
        """0 where mask is 1.0, HIDDEN where it is 0.0."""
        return self.op("Mul", self.op("Sub", 1.0, mask), HIDDEN)


def add_gated_convolution(graph, name, x, mask, module):
    """X [batch, tokens, width], mask [batch, tokens, 1]."""
    d = module.dilation
    normed = graph.op("Mul", graph.norm(f"{name}.norm", x, module.norm), mask)
    padded = graph.op("Pad", normed, graph.whole(0, d, 0, 0, d, 0))
    near = graph.concat(
        2, graph.slice(padded, 0, -2 * d, 1), graph.slice(padded, d, -d, 1), graph.slice(padded, 2 * d, 2**31, 1)
    )
    value, gate = graph_halves(graph, graph.linear(f"{name}.linear", near, module.linear))
    return graph.op("Add", x, graph.op("Mul", value, graph.op("Sigmoid", gate)))


def graph_halves(graph, x):
    """The two halves of the last axis of x."""
    width = graph.width
    axis = -1
    return graph.slice(x, 0, width, axis), graph.slice(x, width, 2 * width, axis)


def add_rotary(graph, positions, size, theta):
    """Cosines and sines [tokens, size] of float positions [tokens]."""
    inverse = theta ** (-np.arange(0, size, 2, dtype=FLOAT) / size)
    angles = graph.op("Mul", graph.unsqueeze(positions, 1), inverse[None])
    angles = graph.concat(1, angles, angles)
    return graph.op("Cos", angles), graph.op("Sin", angles)


def rotate(graph, x, tables, size):
    """Rotary positions on x [batch, heads, tokens, size]."""
    front, back = graph.slice(x, 0, size // 2, 3), graph.slice(x, size // 2, size, 3)
    turned = graph.concat(3, graph.op("Neg", back), front)
    return graph.op("Add", graph.op("Mul", x, tables[0]), graph.op("Mul", turned, tables[1]))


def add_attention(graph, name, x, source, hidden, module, tables):
    """X plus attention to `source`, or to x itself; hidden [batch, others] is added to the scores."""

    def heads(part, y):
        flat = graph.linear(f"{name}.{part}", y, getattr(module, part))
        return graph.turn(graph.op("Reshape", flat, graph.whole(0, 0, module.heads, module.size)), 0, 2, 1, 3)

    normed = graph.norm(f"{name}.norm", x, module.norm)
    source = source or normed
    q, k, v = heads("q", normed), heads("k", source), heads("v", source)
    if module.theta:
        q, k = rotate(graph, q, tables, module.size), rotate(graph, k, tables, module.size)
    scores = graph.op("Mul", graph.op("MatMul", q, graph.turn(k, 0, 1, 3, 2)), module.size**-0.5)
    chances = graph.op("Softmax", graph.op("Add", scores, graph.unsqueeze(hidden, 1, 2)), axis=-1)
    mixed = graph.turn(graph.op("MatMul", chances, v), 0, 2, 1, 3)
    return graph.op(
        "Add", x, graph.linear(f"{name}.o", graph.op("Reshape", mixed, graph.whole(0, 0, graph.width)), module.o)
    )


def add_pool(graph, scores, x, hidden):
    """Mean of x by the softmax of scores [batch, tokens, 1], and the weights [batch, 1, tokens]."""
    chances = graph.op("Softmax", graph.turn(graph.op("Add", scores, graph.unsqueeze(hidden, 2)), 0, 2, 1), axis=-1)
    return graph.op("MatMul", chances, x), chances


def add_distance(graph, positions):
    """I - j for all pairs of positions, [tokens, tokens]."""
    return graph.op("Sub", graph.unsqueeze(positions, 1), graph.unsqueeze(positions, 0))


def add_nearness(graph, distance):
    """exp(-distance / reach), [tokens, tokens] each."""
    away = graph.op("Neg", graph.op("Abs", distance))
    return [graph.op("Exp", graph.op("Mul", away, 1.0 / reach)) for reach in REACHES]


def add_decays(graph, distance):
    """exp(-distance / reach) behind a position, else 0, [tokens, tokens] each."""
    behind = graph.cast(graph.op("GreaterOrEqual", distance, 0.0))
    late = graph.op("Neg", graph.op("Max", distance, 0.0))
    return [graph.op("Mul", graph.op("Exp", graph.op("Mul", late, 1.0 / reach)), behind) for reach in DECAYS]


def add_neighbours(graph, same):
    """See matching.neighbours; same [batch, tokens, question]."""
    here = graph.slice(graph.slice(same, 0, -1, 1), 0, -1, 2)
    there = graph.slice(graph.slice(same, 1, 2**31, 1), 1, 2**31, 2)
    pairs = graph.at_most_one(graph.total(graph.op("Mul", here, there), 2))
    first, second = (
        graph.op("Pad", pairs, graph.whole(0, *before, 0, 0, *after, 0))
        for before, after in (((0,), (1,)), ((1,), (0,)))
    )
    return graph.at_most_one(graph.op("Add", first, second))


def add_same(graph, classes, asked, both):
    """1.0 where a word of the passage and one of the question are of one class, [batch, tokens, question]."""
    equal = graph.op("Equal", graph.unsqueeze(classes, 2), graph.unsqueeze(asked, 1))
    return graph.op("Mul", graph.cast(equal), both)


def add_match_features(graph, classes, asked, weights, words, asked_words, sentences, likeness, distance):
    """As matching.match_features, on the sequence [batch, tokens] and its question [batch, question]."""
    both = graph.op("Mul", graph.unsqueeze(words, 2), graph.unsqueeze(asked_words, 1))
    same = {kind: add_same(graph, classes[kind], asked[kind], both) for kind in ("piece", "fold", "stem")}
    columns = [graph.at_most_one(graph.total(same[kind], 2)) for kind in ("piece", "fold", "stem")]
    weights = graph.unsqueeze(graph.op("Mul", weights, asked_words), 2)
    columns += [graph.at_most_one(graph.op("MatMul", same["stem"], weights)), add_neighbours(graph, same["stem"])]
    share = graph.op("Div", weights, graph.op("Add", graph.total(weights, 1), 1e-3))
    alike = graph.cast(graph.op("Equal", graph.unsqueeze(sentences, 2), graph.unsqueeze(sentences, 1)))
    near = [*add_nearness(graph, distance), alike]
    evidence = [graph.at_most_one(graph.op("MatMul", close, same["stem"])) for close in near]
    like = graph.op("Max", graph.op("Mul", likeness, both), same["stem"])
    best = graph.op("ReduceMax", graph.op("Mul", like, graph.turn(weights, 0, 2, 1)), graph.whole(2), keepdims=1)
    columns += [best, graph.op("MatMul", like, share)]
    liked = [graph.at_most_one(graph.op("MatMul", close, like)) for close in near]
    outside = graph.unsqueeze(graph.op("Sub", 1.0, words), 2)
    for matched in (*evidence, *liked):
        found = graph.op("MatMul", matched, share)
        best = graph.op("ReduceMax", graph.op("Sub", found, outside), graph.whole(1), keepdims=1)
        columns += [found, graph.op("Sub", found, best)]
    anywhere = graph.at_most_one(graph.total(same["stem"], 1, 0))
    everywhere = graph.op("MatMul", graph.unsqueeze(anywhere, 1), share)
    columns.append(graph.op("Add", everywhere, graph.op("Mul", columns[0], 0.0)))
    return graph.op("Mul", graph.concat(2, *columns), graph.unsqueeze(words, 2)), [*evidence, anywhere]


def finish(graph):
    """The ONNX model around the nodes."""
    row = ["batch_size", "sequence_length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, row)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, row) for name in ("start_logits", "end_logits")]
    body = helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.initializers)
    return helper.make_model(
        body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET)]
    )
