"""Writes the model card (README.md of the model's folder) from the figures that the step evaluate measured."""

import json
from pathlib import Path

from lightwell_training.embedder.export.hub import load_model

CARD = Path(__file__).with_name("card.md")
SOURCES = {"medquad": "MedQuAD", "openstax-exercises": "textbook exercises"}


def percent_row(figures, keys):
    """Cells of a row: the figures of `keys` to three decimals."""
    return " | ".join(f"{figures[key]:.3f}" for key in keys)


def search_rows(figures, shape):
    """Rows of a table of a search: recall and nDCG by length of the embedding, beside BM25 and the sum with BM25."""
    columns = (shape.compact, shape.dense, shape.size, "BM25", "sum with BM25")
    names = ("recall@1", "recall@10", "nDCG@10")
    return "\n".join(
        f"| {name} | {percent_row(figures, [f'{name}.{column}' for column in columns])} |" for name in names
    )


def source_rows(figures, transfer, shape):
    """Rows of the table of two sources: nDCG of a training without them, of this file, and of baselines."""

    def row(name, found):
        key = f"nDCG@10.{shape.size}"
        both, what = "nDCG@10.sum with BM25", f"{SOURCES[name]}, {found['questions']:,} among {found['documents']:,}"
        unseen, seen = percent_row(transfer[name], [key, both]), percent_row(found, [key, "nDCG@10.BM25", both])
        return f"| {what} | {unseen} | {seen} |"

    return "\n".join(row(name, found) for name, found in figures.items())


def fill(figures, transfer, model, trainings):
    """The values of the card's fields; `trainings` are the states of all, in their order."""
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
        "words_steps": trainings[0]["step"],
        "branches": len(trainings) - 2,
        "branch_steps": trainings[1]["step"],
        "steps": trainings[-1]["step"],
        "minutes": sum(training["seconds"] for training in trainings) / 60,
        "megabytes": figures["bytes"]["model.onnx"] / 1e6,
        "questions": squad["questions"],
        "paragraphs": squad["documents"],
        "shares": ", ".join(
            f"{name} {share / (1 + share):.0%}"
            for name, share in zip(("symmetric", "query", "document"), shares.tolist())
        )
        + " of the squared length",
        "sts": percent_row(
            sts,
            [
                "spearman.mean of word vectors",
                "spearman.weighted mean of word vectors",
                *(f"spearman.{size}" for size in sizes),
                "spearman.lexical",
            ],
        ),
        "squad": search_rows(squad, shape),
        "sources": source_rows(figures["sources"], transfer["sources"], shape),
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
    parser.add_argument("--transfer", type=Path, required=True, help="figures of a training without two sources")
    parser.add_argument(
        "--words", type=Path, nargs="+", required=True, help="checkpoints of the first training and of its branches"
    )
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    trainings = [load_model(path)[1]["state"] for path in (*arguments.words, arguments.checkpoint)]
    model, _ = load_model(arguments.checkpoint)
    figures, transfer = (json.loads(path.read_text()) for path in (arguments.figures, arguments.transfer))
    fields = fill(figures, transfer, model, trainings)
    (arguments.out / "README.md").write_text(CARD.read_text(encoding="utf-8").format(**fields))
