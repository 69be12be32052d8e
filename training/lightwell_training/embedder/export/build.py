"""The embedder as an ONNX graph, written operator by operator.

Attention is in its plain form (MatMul, Mul, Add, Softmax, MatMul), so that a program that loads the file can find and
control it.
"""

import numpy as np
from onnx import TensorProto, helper

from lightwell_training.embedder.export.graph import EmbedderGraph
from lightwell_training.embedder.network.network import PREFIX_WEIGHT, REPRESENTATIONS, SPECIALS, slopes
from lightwell_training.graph.nodes import IR_VERSION, OPSET


def add_chosen(graph):
    """One-hot [batch, representations] of the first token."""
    first = graph.add(
        "Slice", "/chosen/Slice", "input_ids", graph.constant([0]), graph.constant([1]), graph.constant([1])
    )
    query, document = (
        graph.cast(f"/chosen/{name}", graph.add("Equal", f"/chosen/{name}/Equal", first, graph.constant([token])))
        for name, token in (("query", 2), ("document", 3))
    )
    rest = graph.add("Sub", "/chosen/Sub_1", graph.add("Sub", "/chosen/Sub", graph.real([1.0]), query), document)
    return graph.add("Concat", "/chosen/Concat", rest, query, document, axis=1)


def pick(graph, path, chosen, values):
    """Exp of the value of the chosen representation, [batch, 1]."""
    values = graph.real(values.detach().numpy()[None])
    return graph.add("Exp", f"{path}/Exp", graph.sum(path, graph.add("Mul", f"{path}/Mul", chosen, values), 1))


def add_bias(graph, heads):
    """[batch, heads, tokens, tokens]: minus slope times distance, the least float where a key is padding."""
    tokens = graph.add(
        "Gather", "/bias/Gather", graph.add("Shape", "/bias/Shape", "input_ids"), graph.constant(1), axis=0
    )
    positions = graph.cast(
        "/bias/positions", graph.add("Range", "/bias/Range", graph.constant(0), tokens, graph.constant(1))
    )
    rows, columns = graph.unsqueeze("/bias/rows", positions, [1]), graph.unsqueeze("/bias/columns", positions, [0])
    distance = graph.add("Abs", "/bias/Abs", graph.add("Sub", "/bias/Sub", rows, columns))
    near = graph.add("Mul", "/bias/Mul", graph.real(-np.array(slopes(heads))[None, :, None, None]), distance)
    seen = graph.unsqueeze("/bias/seen", graph.cast("/bias/mask", "attention_mask", TensorProto.BOOL), [1, 2])
    return graph.add("Where", "/bias/Where", seen, near, graph.real(np.finfo(np.float32).min))


def add_layer(graph, index, x, layer, shape, bias):
    """Self-attention in its plain form, then the feed-forward network."""
    name, path = f"layers.{index}", f"/layers.{index}"
    normed = graph.norm(f"{name}.attention_norm", x, layer.attention_norm)

    def heads(part, perm):
        split = graph.add(
            "Reshape",
            f"{path}/{part}/Reshape",
            graph.linear(f"{name}.{part}", normed, getattr(layer, part)),
            graph.constant([0, 0, shape.heads, shape.head_size]),
        )
        return graph.add("Transpose", f"{path}/{part}/Transpose", split, perm=perm)

    scores = graph.add("MatMul", f"{path}/MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
    scores = graph.add(
        "Add", f"{path}/Add_bias", graph.add("Mul", f"{path}/Mul", scores, graph.real(shape.head_size**-0.5)), bias
    )
    weights = graph.add("Softmax", f"{path}/Softmax", scores, axis=-1)
    mixed = graph.add(
        "Transpose",
        f"{path}/Transpose",
        graph.add("MatMul", f"{path}/MatMul_1", weights, heads("value", [0, 2, 1, 3])),
        perm=[0, 2, 1, 3],
    )
    flat = graph.add("Reshape", f"{path}/Reshape", mixed, graph.constant([0, 0, shape.heads * shape.head_size]))
    x = graph.add("Add", f"{path}/Add", x, graph.linear(f"{name}.output", flat, layer.output))
    inner = graph.gelu(
        f"{path}/gelu", graph.linear(f"{name}.up", graph.norm(f"{name}.feed_norm", x, layer.feed_norm), layer.up)
    )
    return graph.add("Add", f"{path}/Add_1", x, graph.linear(f"{name}.down", inner, layer.down))


def add_pooled(graph, model, x, rows, weights, behind):
    """Weighted mean [batch, width]; `behind` is 1 for tokens behind the prefix and 0 for the prefix."""
    learned = graph.look_up(
        "pool/word",
        graph.table("word_weight", model.word_weight.detach().numpy().astype(np.float16)),
        rows,
        TensorProto.FLOAT,
    )
    context = graph.add(
        "MatMul", "/pool/context/MatMul", x, graph.weight("context_weight", model.context_weight.weight.T)
    )
    context = graph.add("Squeeze", "/pool/Squeeze", context, graph.constant([2]))
    learned = graph.add("Exp", "/pool/Exp", graph.add("Add", "/pool/Add", learned, context))
    learned = graph.add("Where", "/pool/Where", behind, learned, graph.real(PREFIX_WEIGHT))
    weights = graph.add("Mul", "/pool/Mul", weights, learned)
    total = graph.sum(
        "/pool/total", graph.add("Mul", "/pool/Mul_1", graph.unsqueeze("/pool", weights, [2]), x), 1, keepdims=0
    )
    return graph.add(
        "Div", "/pool/Div", total, graph.add("Add", "/pool/Add_1", graph.sum("/pool", weights, 1), graph.real(1e-9))
    )


def add_dense(graph, model, pooled, chosen):
    """Unit vectors [batch, dense]."""
    inner = graph.gelu("/dense/gelu", graph.linear("up", pooled, model.up))
    pooled = graph.add("Add", "/dense/Add", pooled, graph.linear("down", inner, model.down))
    projected = graph.add(
        "Reshape",
        "/dense/Reshape",
        graph.linear("project", pooled, model.project),
        graph.constant([0, REPRESENTATIONS, model.shape.dense]),
    )
    picked = graph.add("Mul", "/dense/Mul", projected, graph.unsqueeze("/dense", chosen, [2]))
    return graph.unit("/dense/unit", graph.sum("/dense", picked, 1, keepdims=0))


def add_lexical(graph, model, weights, chosen, behind):
    """Unit vectors [batch, lexical]: terms at hashed places."""
    shape, host = model.shape, lambda tensor: tensor.detach().numpy()
    terms = graph.look_up("lexical/term", graph.table("term_of", host(model.term_of).astype(np.int32)), "input_ids")
    weights = graph.add("Mul", "/lexical/Mul", weights, graph.cast("/lexical/behind", behind))
    same = graph.add(
        "Equal",
        "/lexical/Equal",
        graph.unsqueeze("/lexical/rows", terms, [2]),
        graph.unsqueeze("/lexical/columns", terms, [1]),
    )
    present = graph.unsqueeze("/lexical/present", graph.cast("/lexical/mask", "attention_mask"), [2])
    counts = graph.add("MatMul", "/lexical/MatMul", graph.cast("/lexical/same", same), present)
    counts = graph.add("Squeeze", "/lexical/Squeeze", counts, graph.constant([2]))
    learned = graph.look_up(
        "lexical/weight",
        graph.table("term_weight", host(model.term_weight).astype(np.float16)),
        terms,
        TensorProto.FLOAT,
    )
    learned = graph.sum(
        "/lexical/learned",
        graph.add("Mul", "/lexical/Mul_1", learned, graph.unsqueeze("/lexical/chosen", chosen, [1])),
        2,
        keepdims=0,
    )
    learned = graph.add("Mul", "/lexical/Mul_2", weights, graph.add("Exp", "/lexical/Exp", learned))
    signs = graph.look_up(
        "lexical/sign", graph.table("sign_of", host(model.sign_of).astype(np.int8)), terms, TensorProto.FLOAT
    )
    damped = graph.add(
        "Div",
        "/lexical/Div",
        learned,
        graph.add("Add", "/lexical/Add", counts, pick(graph, "/lexical/saturation", chosen, model.saturation)),
    )
    buckets = graph.look_up(
        "lexical/bucket", graph.table("bucket_of", host(model.bucket_of).astype(np.int32)), terms, TensorProto.INT64
    )
    batch = graph.add(
        "Slice",
        "/lexical/Slice",
        graph.add("Shape", "/lexical/Shape", "input_ids"),
        graph.constant([0]),
        graph.constant([1]),
    )
    zeros = graph.add(
        "Expand",
        "/lexical/Expand",
        graph.real([[0.0]]),
        graph.add("Concat", "/lexical/Concat", batch, graph.constant([shape.lexical]), axis=0),
    )
    sketch = graph.add(
        "ScatterElements",
        "/lexical/ScatterElements",
        zeros,
        buckets,
        graph.add("Mul", "/lexical/Mul_3", damped, signs),
        axis=1,
        reduction="add",
    )
    return graph.unit("/lexical/unit", sketch)


def add_words(graph, model, words, rows):
    """Word embeddings [batch, tokens, width] from int8 rows and their scales, widened."""
    whole = graph.look_up("words", graph.table("words.weight", words[0]), rows, TensorProto.FLOAT)
    scales = graph.look_up("words.scale", graph.table("words.scales", words[1]), rows, TensorProto.FLOAT)
    return graph.linear("widen", graph.add("Mul", "/words/Mul", whole, scales), model.widen)


def build(model, words):
    """The ONNX model of an embedder."""
    shape, graph = model.shape, EmbedderGraph()
    rows = graph.look_up("row", graph.table("row_of", model.row_of.numpy().astype(np.int32)), "input_ids")
    x, bias = add_words(graph, model, words, rows), add_bias(graph, shape.heads)
    for index, layer in enumerate(model.layers):
        x = add_layer(graph, index, x, layer, shape, bias)
    chosen = add_chosen(graph)
    behind = graph.add("GreaterOrEqual", "/GreaterOrEqual", "input_ids", graph.constant(SPECIALS))
    weights = graph.add("Mul", "/weights/Mul", graph.cast("/weights", "attention_mask"), "token_weights")
    dense = add_dense(graph, model, add_pooled(graph, model, x, rows, weights, behind), chosen)
    share = pick(graph, "/share", chosen, model.share)
    lexical = graph.add("Mul", "/Mul", share, add_lexical(graph, model, weights, chosen, behind))
    length = graph.add(
        "Sqrt", "/Sqrt", graph.add("Add", "/Add", graph.add("Mul", "/share/Square", share, share), graph.real(1.0))
    )
    graph.add(
        "Div", "/Div", graph.add("Concat", "/Concat", dense, lexical, axis=1), length, output="sentence_embedding"
    )
    graph.add("Identity", "/Identity", x, output="last_hidden_state")
    return wrap(graph, shape)


def wrap(graph, shape):
    """The ONNX model around the nodes: its inputs and outputs with their shapes."""

    def tokens(name, kind):
        return helper.make_tensor_value_info(name, kind, ["batch_size", "sequence_length"])

    inputs = [
        tokens("input_ids", TensorProto.INT64),
        tokens("attention_mask", TensorProto.INT64),
        tokens("token_weights", TensorProto.FLOAT),
    ]
    outputs = [
        helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch_size", shape.size]),
        helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["batch_size", "sequence_length", shape.width]
        ),
    ]
    body = helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.initializers)
    return helper.make_model(
        body, producer_name="lightwell", ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET)]
    )
