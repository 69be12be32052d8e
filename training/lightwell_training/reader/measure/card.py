"""Writes the model card, README.md of the model's folder, from log, calibration and figures."""

import json
from pathlib import Path

import numpy as np
import torch

from lightwell_training.reader.data.vectors import WIDTH
from lightwell_training.reader.train import BATCH

CARD = Path(__file__).with_name("card.md")


def row(values):
    """Cells of a row."""
    return " | ".join(str(value) for value in values)


def parameters_of(check):
    """How many values the check has learned; means and spreads of its inputs are none."""
    return sum(values.numel() for name, values in check["model"].items() if name not in ("middle", "scale"))


def held_row(name, group):
    """Line of the table of held-out figures."""
    fifths = ", ".join(f"{score:.2f}: {right:.2f} of {count}" for score, right, count in group["reliability"])
    return f"| {name} | {group['questions']:,} | {group['area']:.1f} % | {fifths} |"


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--work", type=Path, required=True, help="folder that the steps before wrote to")
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    figures, held = (json.loads((arguments.work / f"{name}.json").read_text()) for name in ("figures", "calibration"))
    saved = torch.load(arguments.work / "run" / "checkpoint.pt", weights_only=False)
    questions = len(np.load(arguments.work / "corpus" / "train.npy", allow_pickle=True).item()["questions"])
    sizes = {name: values.numel() for name, values in saved["model"].items() if not name.startswith("table_")}
    state, shape, words = saved["state"], saved["shape"], figures["v1"]["by_word"]
    check = torch.load(arguments.work / "check.pt", weights_only=False)
    lines = [
        held_row(text, held[name])
        for name, text in (("whole", "whole passages"), ("cut", "one or three sentences"), ("statements", "statements"))
    ]
    card = CARD.read_text(encoding="utf-8").format(
        rounds=len(shape["rounds"]),
        width=shape["width"],
        parameters=sizes["weights"] * WIDTH + sum(sizes.values()) + parameters_of(check),
        check=parameters_of(check),
        vectors=sizes["weights"] * WIDTH,
        classes=sizes["weights"],
        own=sizes["own"],
        common=shape["common"],
        pieces=len(saved["model"]["table_fold"]),
        network=sum(sizes.values()) - sizes["own"],
        size=(arguments.out / "onnx" / "model.onnx").stat().st_size / 1e6,
        steps=state["step"],
        epochs=state["step"] * BATCH / questions,
        minutes=state["seconds"] / 60,
        v1=figures["v1"],
        v2=figures["v2"],
        held="\n".join(lines),
        checked=check["state"],
        check_minutes=check["state"]["seconds"] / 60,
        seed=check["seed"],
        words=row(words),
        lines=" --- |" * len(words),
        values=row(value for value, _ in words.values()),
        counts=row(count for _, count in words.values()),
    )
    (arguments.out / "README.md").write_text(card)
