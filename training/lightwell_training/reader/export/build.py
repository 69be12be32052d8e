"""The reader's graph, put together from the parts of graph.py."""

import numpy as np

from lightwell_training.graph.rows import quantise
from lightwell_training.reader.data.pieces import SEP_ID
from lightwell_training.reader.export import graph as parts
from lightwell_training.reader.export.check_graph import add_check
from lightwell_training.reader.export.graph import ReaderGraph, TensorProto
from lightwell_training.reader.network.matching import UNLIKE

LEAST = 1e-12  # under the root of a length


def add_rows(g, name, values, rows):
    """Rows of a table, stored as int8 with a scale per row."""
    whole, scales = (g.table(f"{name}.{part}", x) for part, x in zip(("rows", "scales"), quantise(values)))
    return g.op("Mul", *(g.cast(g.op("Gather", table, rows, axis=0)) for table in (whole, scales)))


def add_embedded(g, model, public, classes):
    """See Reader.embed; `public` are the vectors of the pieces, [batch, tokens, width of the vectors]."""
    row = g.cast(g.op("Min", g.cast(classes["fold"]), float(model.shape.common)), TensorProto.INT32)
    own = add_rows(g, "own", model.own.detach().numpy(), row)
    kind = g.op("Gather", g.weight("shapes.weight", model.shapes), g.cast(classes["shape"], TensorProto.INT32), axis=0)
    return g.op("Add", g.op("Add", g.linear("widen", public, model.widen), own), kind)


def add_likeness(g, public, asked):
    """See Reader.likeness."""

    def unit(x):
        return g.op("Div", x, g.op("Sqrt", g.op("Add", g.total(g.op("Mul", x, x), 2), LEAST)))

    cosines = g.op("MatMul", unit(public), g.turn(unit(asked), 0, 2, 1))
    return g.op("Relu", g.op("Mul", g.op("Sub", cosines, UNLIKE), 1.0 / (1.0 - UNLIKE)))


def add_inputs(g, model):
    """Names of ids, positions, masks and classes; `asked` ones are those of the question's part, [batch, question]."""
    present, later = g.cast("attention_mask"), g.cast("token_type_ids")
    passage = g.op("Mul", present, later)
    question = g.op("Sub", present, passage)
    longest = g.op("ReduceMax", g.total(question, 1), g.whole(0, 1), keepdims=0)
    length = g.unsqueeze(g.cast(longest, TensorProto.INT64), 0)

    def cut(x):
        return g.slice(x, 0, length, 1)

    word = g.cast(g.op("Greater", "input_ids", g.constant(SEP_ID)))
    classes = {
        "piece": g.cast("input_ids", TensorProto.INT32),
        "fold": g.rows("table_fold", model.table_fold, "input_ids"),
        "stem": g.rows("table_stem", model.table_stem, "input_ids"),
        "shape": g.op(
            "Gather", g.table("table_shape", model.table_shape.numpy().astype(np.uint8)), "input_ids", axis=0
        ),
    }
    public = add_rows(g, "vectors", model.vectors.numpy(), classes["fold"])
    embedded = add_embedded(g, model, public, classes)
    ends = g.cast(g.op("Gather", g.table("table_ends", model.table_ends.numpy().astype(np.uint8)), "input_ids", axis=0))
    ends = g.op("Mul", ends, passage)
    sentences = g.op("Sub", g.op("CumSum", ends, g.constant(1)), ends)
    count = g.op("Squeeze", g.op("Shape", "input_ids", start=1, end=2), g.whole(0))
    positions = g.cast(g.op("Range", g.constant(0), count, g.constant(1)))
    weights = g.op("Gather", g.weight("words.weight", model.weights), classes["fold"], axis=0)
    return {
        "embedded": embedded,
        "asked": cut(embedded),
        "passage": passage,
        "question": cut(question),
        "words": g.op("Mul", passage, word),
        "asked_words": cut(g.op("Mul", question, word)),
        "asked_ids": cut("input_ids"),
        "length": length,
        "classes": classes,
        "asked_classes": {name: cut(x) for name, x in classes.items()},
        "sentences": sentences,
        "positions": positions,
        "weights": cut(weights),
        "likeness": add_likeness(g, public, cut(public)),
    }


def add_question(g, model, i):
    """The encoded question [batch, question, width] and its summary [batch, 1, width]."""
    asked = g.linear("question_in", i["asked"], model.question_in)
    mask = g.unsqueeze(i["question"], 2)
    for index, layer in enumerate(model.question):
        asked = parts.add_gated_convolution(g, f"question.{index}", asked, mask, layer)
    asked = g.norm("question_norm", asked, model.question_norm)
    return asked, parts.add_pool(
        g, g.linear("question_score", asked, model.question_score), asked, g.hide(i["question"])
    )[0]


def add_aligned(g, model, i):
    """See Reader.aligned."""

    def relu(x):
        return g.op("Relu", x)

    weight = g.weight("align.weight", model.align.weight.T), g.weight("align.bias", model.align.bias)

    def map_one(x):
        return relu(g.op("Add", g.op("MatMul", x, weight[0]), weight[1]))

    product = g.op("MatMul", map_one(i["embedded"]), g.turn(map_one(i["asked"]), 0, 2, 1))
    scores = g.op("Add", g.op("Mul", product, model.shape.width**-0.5), g.unsqueeze(g.hide(i["question"]), 1))
    return g.op("MatMul", g.op("Softmax", scores, axis=-1), i["asked"])


def add_passage(g, model, i, asked, summary, features):
    """The encoded passage [batch, tokens, width]; what stands at the question's positions means nothing."""
    x, aligned = i["embedded"], add_aligned(g, model, i)
    joined = g.concat(2, x, aligned, g.op("Mul", x, aligned), features)
    x = g.op("Add", g.linear("passage_in", joined, model.passage_in), g.linear("condition", summary, model.condition))
    mask, hidden, asked_hidden = g.unsqueeze(i["passage"], 2), g.hide(i["passage"]), g.hide(i["question"])
    tables = parts.add_rotary(g, i["positions"], model.shape.width // model.shape.heads, model.shape.theta)
    for index, layer in enumerate(model.rounds):
        name = f"rounds.{index}"
        for at, convolution in enumerate(layer.before):
            x = parts.add_gated_convolution(g, f"{name}.before.{at}", x, mask, convolution)
        x = parts.add_attention(g, f"{name}.cross", x, asked, asked_hidden, layer.cross, tables)
        for at, convolution in enumerate(layer.between):
            x = parts.add_gated_convolution(g, f"{name}.between.{at}", x, mask, convolution)
        x = parts.add_attention(g, f"{name}.attention", x, None, hidden, layer.attention, tables)
        up = g.silu(g.linear(f"{name}.feed.up", g.norm(f"{name}.feed.norm", x, layer.feed.norm), layer.feed.up))
        x = g.op("Add", x, g.linear(f"{name}.feed.down", up, layer.feed.down))
    for index, layer in enumerate(model.after):
        x = parts.add_gated_convolution(g, f"after.{index}", x, mask, layer)
    return g.norm("out_norm", x, model.out_norm)


def add_head(g, name, model, *columns):
    """Two layers on the joined columns."""
    inner = g.silu(g.linear(f"{name}_in", g.concat(2, *columns), getattr(model, f"{name}_in")))
    return g.linear(f"{name}_out", inner, getattr(model, f"{name}_out"))


def add_evidence(g, chances, found):
    """See Findings.evidence."""
    return g.concat(
        2, *(g.turn(g.op("MatMul", chances, near), 0, 2, 1) for near in found[:-1]), g.unsqueeze(found[-1], 2)
    )


def add_no_answer(g, model, i, x, asked, summary, place, evidence):
    """See Reader.no_answer, [batch, 1, 2]."""
    joined = g.concat(2, asked, g.op("Mul", asked, place), evidence)
    proof = g.silu(g.linear("proof_in", joined, model.proof_in))
    mask = g.unsqueeze(i["question"], 1)
    proof = g.op("Div", g.op("MatMul", mask, proof), g.total(mask, 2))
    whole, _ = parts.add_pool(g, g.linear("passage_score", x, model.passage_score), x, g.hide(i["passage"]))
    return add_head(g, "none", model, proof, whole, summary, g.op("Mul", place, summary))


def build(checked):
    """The ONNX model."""
    model = checked.reader
    g = ReaderGraph()
    g.width = model.shape.width
    i = add_inputs(g, model)
    asked, summary = add_question(g, model, i)
    distance = parts.add_distance(g, i["positions"])
    features, found = parts.add_match_features(
        g,
        i["classes"],
        i["asked_classes"],
        i["weights"],
        i["words"],
        i["asked_words"],
        i["sentences"],
        i["likeness"],
        distance,
    )
    x = add_passage(g, model, i, asked, summary, features)
    wide, outside = g.op("Mul", x, summary), g.hide(i["words"])
    start = g.op("Add", add_head(g, "start", model, x, wide), g.unsqueeze(outside, 2))
    place, chances = parts.add_pool(g, start, x, g.op("Mul", outside, 0.0))
    begun = [g.turn(g.op("MatMul", chances, g.turn(decay, 1, 0)), 0, 2, 1) for decay in parts.add_decays(g, distance)]
    end = g.op("Add", add_head(g, "end", model, x, wide, g.op("Mul", x, place), *begun), g.unsqueeze(outside, 2))
    found = {"start": start, "end": end, "evidence": add_evidence(g, chances, found)}
    found["none"] = add_no_answer(g, model, i, x, asked, summary, place, found["evidence"])
    nones = add_check(g, model, checked.check, i, found)
    for name, none, logits in zip(("start_logits", "end_logits"), nones, (start, end)):
        rest = g.slice(g.op("Squeeze", logits, g.whole(2)), 1, 2**31, 1)
        g.add("Concat", f"/{name}/Concat", g.op("Squeeze", none, g.whole(2)), rest, axis=1, output=name)
    return parts.finish(g)
