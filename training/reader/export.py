"""Writes a checkpoint as the hub folder of the reader, and compares the graph with torch."""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

import graph as parts
from check import Check, Checked
from check_graph import add_check
from graph import ReaderGraph, TensorProto
from network import HIDDEN, Reader, Shape
from pieces import CLS_ID, PAD_ID, SEP_ID, write_config

POSITIONS = 512


def load_reader(checkpoint, corpus):
    """The network of a checkpoint, without dropout, and the training's state."""
    saved = torch.load(checkpoint, weights_only=False)
    model = Reader(Shape(**saved["shape"]), dict(np.load(corpus / "tables.npz")))
    model.load_state_dict(saved["model"])
    return model.eval(), saved["state"]


def load_checked(checkpoint, check, corpus):
    """The network with its check, and the states of both trainings."""
    reader, state = load_reader(checkpoint, corpus)
    saved, checking = torch.load(check, weights_only=False), Check()
    checking.load_state_dict(saved["model"])
    return Checked(reader, checking).eval(), state | {"check": saved["state"]}


def embedding_table(model):
    """What Reader.embed looks up, one row per piece."""
    return model.vectors[model.table_fold] + model.shapes[model.table_shape]


def round_weights(model):
    """Makes the network compute with the weights as they are stored."""
    table = embedding_table(model.reader).detach().half().float()
    model.reader.embed = lambda ids: table[ids]
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()


def add_inputs(g, model):
    """Names of ids, positions, masks and classes; `asked` ones are those of the question's part, [batch, question]."""
    embedded = g.op("Gather", g.weight("embeddings.weight", embedding_table(model)), "input_ids", axis=0)
    present, later = g.cast("attention_mask"), g.cast("token_type_ids")
    passage = g.op("Mul", present, later)
    question = g.op("Sub", present, passage)
    longest = g.op("ReduceMax", g.total(question, 1), g.whole(0, 1), keepdims=0)
    length = g.unsqueeze(g.cast(longest, TensorProto.INT64), 0)
    cut = lambda x: g.slice(x, 0, length, 1)
    word = g.cast(g.op("Greater", "input_ids", g.constant(SEP_ID)))
    classes = {"piece": g.cast("input_ids", TensorProto.INT32), "fold": g.rows("table_fold", model.table_fold, "input_ids"),
               "stem": g.rows("table_stem", model.table_stem, "input_ids")}
    ends = g.op("Mul", g.op("Gather", g.constant(model.table_ends.numpy(), np.float32), "input_ids", axis=0), passage)
    sentences = g.op("Sub", g.op("CumSum", ends, g.constant(1)), ends)
    count = g.op("Squeeze", g.op("Shape", "input_ids", start=1, end=2), g.whole(0))
    positions = g.cast(g.op("Range", g.constant(0), count, g.constant(1)))
    weights = g.op("Gather", g.weight("words.weight", model.weights[model.table_fold]), "input_ids", axis=0)
    return {"embedded": embedded, "asked": cut(embedded), "passage": passage, "question": cut(question), "words": g.op("Mul", passage, word),
            "asked_words": cut(g.op("Mul", question, word)), "asked_ids": cut("input_ids"), "length": length, "classes": classes, "asked_classes": {name: cut(x) for name, x in classes.items()},
            "sentences": sentences, "positions": positions, "weights": cut(weights)}


def add_question(g, model, i):
    """The encoded question [batch, question, width] and its summary [batch, 1, width]."""
    asked = g.linear("question_in", i["asked"], model.question_in)
    mask = g.unsqueeze(i["question"], 2)
    for index, layer in enumerate(model.question):
        asked = parts.add_gated_convolution(g, f"question.{index}", asked, mask, layer)
    asked = g.norm("question_norm", asked, model.question_norm)
    return asked, parts.add_pool(g, g.linear("question_score", asked, model.question_score), asked, g.hide(i["question"]))[0]


def add_aligned(g, model, i):
    """See Reader.aligned."""
    relu = lambda x: g.op("Relu", x)
    weight = g.weight("align.weight", model.align.weight.T), g.weight("align.bias", model.align.bias)
    map_one = lambda x: relu(g.op("Add", g.op("MatMul", x, weight[0]), weight[1]))
    product = g.op("MatMul", map_one(i["embedded"]), g.turn(map_one(i["asked"]), 0, 2, 1))
    scores = g.op("Add", g.op("Mul", product, model.shape.width ** -0.5), g.unsqueeze(g.hide(i["question"]), 1))
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
    return g.concat(2, *(g.turn(g.op("MatMul", chances, near), 0, 2, 1) for near in found[:-1]), g.unsqueeze(found[-1], 2))


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
    features, found = parts.add_match_features(g, i["classes"], i["asked_classes"], i["weights"], i["words"], i["asked_words"], i["sentences"], distance)
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


def verify(path, model):
    """Greatest differences from torch: alone, in a padded batch, and at full length; and between a row alone and in the batch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    random, sizes, rows = np.random.default_rng(0), [(9, 40), (14, 150), (26, POSITIONS - 29)], []
    for asked, told in sizes:
        question = random.integers(300, 6000, asked)
        passage = np.where(random.random(told) < 0.2, random.choice(question, told), random.integers(3, 6000, told))
        rows.append((np.r_[CLS_ID, question, SEP_ID], np.r_[passage, SEP_ID]))
    together = np.zeros((3, len(rows), POSITIONS), np.int64)
    for row, (question, passage) in enumerate(rows):
        size = len(question) + len(passage)
        together[:, row, :size] = np.r_[question, passage], np.ones(size), np.r_[np.zeros(len(question)), np.ones(len(passage))]
    names = ("input_ids", "attention_mask", "token_type_ids")
    batch, differences = session.run(None, dict(zip(names, together))), {"torch": 0.0, "batch and padding": 0.0}
    for row, (question, passage) in enumerate(rows):
        size = len(question) + len(passage)
        alone = session.run(None, dict(zip(names, together[:, row:row + 1, :size])))
        with torch.no_grad():
            expected = model(torch.from_numpy(question)[None], torch.from_numpy(passage)[None])
        for got, in_batch, wanted in zip(alone, batch, expected):
            places = np.r_[0, np.arange(len(question), size - 1)]
            differences["torch"] = max(differences["torch"], np.abs(got[0][places] - wanted[0].numpy()[:-1]).max())
            differences["batch and padding"] = max(differences["batch and padding"], np.abs(got[0][places] - in_batch[row][places]).max())
    return {name: float(value) for name, value in differences.items()}


def config(model, calibration):
    """The hub's config.json. The type is our own: no library has this network."""
    shape = model.shape
    return {"architectures": ["LightwellReaderForQuestionAnswering"], "model_type": "lightwell-reader", "hidden_size": shape.width,
            "intermediate_size": shape.inner, "num_attention_heads": shape.heads, "num_hidden_layers": len(shape.rounds),
            "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "vocab_size": len(model.table_fold), "pad_token_id": PAD_ID,
            "cls_token_id": CLS_ID, "sep_token_id": SEP_ID, "torch_dtype": "float32", "answer_calibration": calibration}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--check", type=Path, required=True, help="written by fit_check.py")
    parser.add_argument("--calibration", type=Path, required=True, help="written by calibrate.py")
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model, state = load_checked(arguments.checkpoint, arguments.check, arguments.corpus)
    (arguments.out / "onnx").mkdir(parents=True, exist_ok=True)
    path = arguments.out / "onnx" / "model.onnx"
    written = path.with_suffix(".onnx.new")
    proto = build(model)
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, str(written))
    round_weights(model)
    differences = verify(written, model)
    if differences["torch"] > 1e-3 or differences["batch and padding"] > 1e-4:
        raise SystemExit(f"the graph differs from the checkpoint: {differences}")
    written.replace(path)
    shutil.copyfile(arguments.corpus / "tokenizer.json", arguments.out / "tokenizer.json")
    write_config(arguments.out, POSITIONS)
    calibration = json.loads(arguments.calibration.read_text())
    (arguments.out / "config.json").write_text(json.dumps(config(model.reader, {name: calibration[name] for name in ("scale", "bias")}), indent=2) + "\n")
    print(f"step {state['step']}: {path.stat().st_size} bytes, greatest differences {differences}")


if __name__ == "__main__":
    main()
