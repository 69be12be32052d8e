"""The embedder's ONNX graph; network.py says what each part computes."""

import numpy as np
from onnx import TensorProto

from lightwell_training.embedder.network import SATURATION
from lightwell_training.embedder.terms import REPRESENTATIONS
from lightwell_training.trunk.graph import TrunkGraph, add_trunk, hidden_bias, numbers


def add_chosen(graph, shape):
    """One-hot [batch, representations] of the first token."""
    bounds = (graph.constant([at]) for at in (0, 1, 1))
    first = graph.add("Slice", "/first/Slice", "input_ids", *bounds)
    known = np.arange(shape.pieces - len(REPRESENTATIONS), shape.pieces)[None]
    named = graph.cast("/chosen/named", graph.add("Equal", "/chosen/Equal", first, graph.constant(known)))
    rest = graph.add("Sub", "/chosen/Sub", graph.real(1.0), graph.sum("/chosen/sum", named, 1))
    symmetric = graph.add("Mul", "/chosen/Mul", rest, graph.real(np.eye(1, len(REPRESENTATIONS))))
    return graph.add("Add", "/chosen/Add", named, symmetric)


def add_seen(graph, mask, places, size):
    """1.0 where a token attends to another, [batch, 1, tokens, tokens]: to one that is there, in its window of `size`.

    `mask` is float [batch, tokens], `places` int64 [tokens].
    """
    window = graph.add("Div", "/window/Div", places, graph.constant(size))
    rows, keys = graph.unsqueeze("/window/rows", window, [1]), graph.unsqueeze("/window/keys", window, [0])
    same = graph.cast("/window/same", graph.add("Equal", "/window/Equal", rows, keys))
    return graph.add("Mul", "/window/Mul", graph.unsqueeze("/window/mask", mask, [1, 2]), same)


def add_dense(graph, model, states, weights, chosen):
    """Unit vectors [batch, dense]."""
    row = graph.unsqueeze("/pool", weights, [1])
    pooled = graph.add("MatMul", "/pool/MatMul", row, states)
    total = 0
    for index, name in enumerate(REPRESENTATIONS):
        matrix = graph.quantised_matrix(f"heads.{name}.weight", numbers(model.heads[index]))
        turned = graph.add("MatMul", f"/heads/{name}/MatMul", pooled, matrix)
        picked = graph.add(
            "Slice", f"/heads/{name}/Slice", chosen, *(graph.constant([at]) for at in (index, index + 1, 1))
        )
        part = graph.add("Mul", f"/heads/{name}/Mul", graph.unsqueeze(f"/heads/{name}", picked, [2]), turned)
        total = graph.add("Add", f"/heads/{name}/Add", total, part) if total else part
    return graph.unit("/dense", graph.add("Squeeze", "/dense/Squeeze", total, graph.constant([1])))


def add_lexical(graph, model, weights):
    """Unit vectors [batch, lexical]."""

    def table(name, values):
        return graph.table(f"lexical.{name}", values)

    terms = graph.look_up("/lexical/term", table("term_of", model.term_of.numpy().astype(np.int32)), "input_ids")
    same = graph.add(
        "Equal", "/lexical/Equal", *(graph.unsqueeze(f"/lexical/{axis}", terms, [axis]) for axis in (2, 1))
    )
    present = graph.unsqueeze("/lexical/present", graph.cast("/lexical/mask", "attention_mask"), [2])
    counts = graph.add("MatMul", "/lexical/MatMul", graph.cast("/lexical/same", same), present)
    counts = graph.add("Squeeze", "/lexical/Squeeze", counts, graph.constant([2]))
    rarity = table("weights", numbers(model.term_weight).astype(np.float16))
    signs = table("signs", model.sign_of.numpy().astype(np.int8))
    rarity, signs = (
        graph.look_up(f"/lexical/{name}", values, terms, TensorProto.FLOAT)
        for name, values in (("rarity", rarity), ("sign", signs))
    )
    damped = graph.add("Div", "/lexical/Div", rarity, graph.add("Add", "/lexical/Add", counts, graph.real(SATURATION)))
    values = graph.add("Mul", "/lexical/Mul_1", graph.add("Mul", "/lexical/Mul", damped, signs), weights)
    places = graph.look_up(
        "/lexical/place", table("places", model.place_of.numpy().astype(np.int32)), terms, TensorProto.INT64
    )
    shape = graph.add("Shape", "/lexical/Shape", "input_ids")
    batch = graph.add("Slice", "/lexical/Slice", shape, graph.constant([0]), graph.constant([1]))
    size = graph.add("Concat", "/lexical/Concat", batch, graph.constant([model.shape.lexical]), axis=0)
    zeros = graph.add("Expand", "/lexical/Expand", graph.real([[0.0]]), size)
    sketch = graph.add("ScatterElements", "/lexical/ScatterElements", zeros, places, values, axis=1, reduction="add")
    return graph.unit("/lexical/unit", sketch)


def build(model):
    """The graph of an embedder."""
    graph = TrunkGraph()
    chosen = add_chosen(graph, model.shape)
    mask, places = graph.cast("/mask", "attention_mask"), graph.count("/order", "input_ids")
    size = model.trunk.shape.positions
    bias = hidden_bias(graph, "/hidden", add_seen(graph, mask, places, size))
    states = add_trunk(graph, model.trunk, graph.add("Mod", "/places/Mod", places, graph.constant(size)), None, bias)
    weights = graph.add("Mul", "/weights/Mul", mask, "token_weights")
    shares = numbers(model.share)[:, None]
    dense_part, lexical_part = (
        graph.add("MatMul", f"/shares/{name}/MatMul", chosen, graph.table(f"shares.{name}", np.sqrt(values)))
        for name, values in (("dense", 1.0 - shares), ("lexical", shares))
    )
    dense = graph.add("Mul", "/shares/Mul", dense_part, add_dense(graph, model, states, weights, chosen))
    lexical = graph.add("Mul", "/shares/Mul_1", lexical_part, add_lexical(graph, model, weights))
    graph.add("Concat", "/Concat", dense, lexical, axis=1, output="sentence_embedding")
    graph.add("Identity", "/Identity", states, output="last_hidden_state")
    return graph
