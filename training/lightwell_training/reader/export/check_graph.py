"""The check in the ONNX graph, see check.py."""

import numpy as np

from lightwell_training.reader.network.check import NAMES, NUMBERS, SHORT, one_of
from lightwell_training.reader.network.layers import HIDDEN


def add_spread(g, logits):
    """See check.spread; logits [batch, tokens, 1], both [batch, 1, 1]."""
    best = g.op("ReduceMax", logits, g.whole(1), keepdims=1)
    return best, g.op("Add", best, g.op("Log", g.total(g.op("Exp", g.op("Sub", logits, best)), 1)))


def add_columns(g, model, i, found):
    """See check.columns: [batch, question, WORD], [batch, 1, WHOLE], and the best start and end."""
    weights = g.op("Mul", i["weights"], i["asked_words"])
    share = g.op("Div", weights, g.op("Add", g.total(weights, 1), 1e-3))
    later = g.cast(g.op("Greater", g.slice(i["positions"], 0, i["length"], 0), 1.0))

    def table(names):
        return g.cast(
            g.op("Gather", g.constant(one_of(names)[model.table_shape].numpy(), np.uint8), i["asked_ids"], axis=0)
        )

    kinds = g.op("Mul", table(NAMES), later), table(NUMBERS)
    asked = g.concat(2, found["evidence"], *(g.unsqueeze(column, 2) for column in (weights, share, *kinds)))
    (start, starts), (end, ends) = (add_spread(g, found[name]) for name in ("start", "end"))
    none = [g.slice(found["none"], side, side + 1, 2) for side in (0, 1)]
    coverage = g.op("MatMul", g.unsqueeze(share, 1), found["evidence"])
    sizes = [g.op("Max", g.unsqueeze(g.total(i[name], 1), 2), 1.0) for name in ("words", "asked_words")]
    short = g.op("Relu", g.op("Sub", 1.0, g.op("Div", sizes[0], float(SHORT))))
    whole = g.concat(
        2,
        g.op("Sub", starts, none[0]),
        g.op("Sub", ends, none[1]),
        g.op("Sub", start, starts),
        g.op("Sub", end, ends),
        coverage,
        *(g.op("Log", size) for size in sizes),
        short,
    )
    return asked, whole, (start, end)


def add_check(g, reader, check, i, found):
    """Logits of no answer for start and end, [batch, 1, 1] each; see Check and Checked."""
    asked, whole, best = add_columns(g, reader, i, found)
    proof = g.silu(g.linear("check.proof", asked, check.proof))
    mask = g.unsqueeze(i["question"], 2)
    mean = g.op("Div", g.total(g.op("Mul", proof, mask), 1), g.total(mask, 1))
    most = g.op("ReduceMax", g.op("Add", proof, g.op("Mul", g.op("Sub", 1.0, mask), HIDDEN)), g.whole(1), keepdims=1)
    scaled = g.op(
        "Mul", g.op("Sub", whole, check.middle.numpy().astype(np.float32)), check.scale.numpy().astype(np.float32)
    )
    mixed = g.silu(g.linear("check.mix", g.concat(2, mean, most, scaled), check.mix))
    odds = g.op("Add", g.linear("check.out", mixed, check.out), g.linear("check.direct", whole, check.direct))
    return [g.op("Sub", logit, g.op("Mul", odds, 0.5)) for logit in best]
