"""Writes the model card (README.md of the model's folder) from the figures that the step evaluate measured."""

import json
from pathlib import Path

from lightwell_training.embedder.export.hub import load_model

CARD = Path(__file__).with_name("card.md")


def percent_row(figures, keys):
    """Cells of a row: the figures of `keys` to three decimals."""
    return " | ".join(f"{figures[key]:.3f}" for key in keys)


def fill(figures, model, state):
    """The values of the card's fields."""
    shape, sts, squad, clinc, speed = model.shape, *(figures[name] for name in ("sts", "squad", "clinc", "speed"))
    sizes = (shape.compact, shape.dense, shape.size)
    shares = model.share.exp().square()
    accuracies = {
        name.removeprefix("accuracy."): value for name, value in clinc.items() if name.startswith("accuracy.")
    }
    return {
        **vars(shape),
        "lexical": shape.lexical,
        "parameters": sum(item.numel() for item in model.parameters()),
        "steps": state["state"]["step"],
        "minutes": state["state"]["seconds"] / 60,
        "megabytes": figures["bytes"]["model.onnx"] / 1e6,
        "questions": squad["questions"],
        "paragraphs": squad["paragraphs"],
        "shares": ", ".join(
            f"{name} {share / (1 + share):.0%}"
            for name, share in zip(("symmetric", "query", "document"), shares.tolist())
        )
        + " of the squared length",
        "sts": percent_row(
            sts,
            [
                "spearman.mean of word vectors",
                "spearman.mean of word vectors of equal length",
                *(f"spearman.{size}" for size in sizes),
                "spearman.lexical",
            ],
        ),
        **{
            f"squad{among}": percent_row(squad, [*(f"recall@{among}.{size}" for size in sizes), f"recall@{among}.BM25"])
            for among in (1, 10)
        },
        "clinc_train": clinc["train"],
        "clinc_test": clinc["test"],
        "clinc": "\n".join(
            f"| {'first ' if name.isdigit() else ''}{name}{' numbers' if name.isdigit() else ''} | {value:.1%} |"
            for name, value in accuracies.items()
        ),
        "speed_tokens": speed["tokens of 100 short texts"],
        "speed_batch": 1e3 * speed["100 short texts"],
        "speed_one": 1e3 * speed["one short text"],
        "speed_long": 1e3 * speed["one text of 512 tokens"],
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--figures", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    model, state = load_model(arguments.checkpoint)
    figures = json.loads(arguments.figures.read_text())
    (arguments.out / "README.md").write_text(CARD.read_text(encoding="utf-8").format(**fill(figures, model, state)))
