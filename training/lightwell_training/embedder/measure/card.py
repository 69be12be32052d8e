"""Writes the model card (README.md of the model's folder) from the figures that the step evaluate measured."""

import json
from pathlib import Path

from lightwell_training.embedder.export import load_model
from lightwell_training.trunk.pretrained import PACKAGE, VERSION, WHEEL_SHA256

CARD = Path(__file__).with_name("card.md")
SOURCES = {"medquad": "MedQuAD", "openstax-exercises": "textbook exercises"}


def cells(figures, keys):
    """Cells of a row: the figures of `keys` to three decimals."""
    return " | ".join(f"{figures[key]:.3f}" for key in keys)


def search_row(name, found, published, shape):
    """A row of the table of searches: nDCG by length, of MiniLM as it is, of BM25 and of the sum with BM25."""
    own = [f"nDCG@10.{column}" for column in (shape.compact, shape.dense, shape.size)]
    rest = [f"nDCG@10.{column}" for column in ("BM25", "sum with BM25")]
    what = f"{name}, {found['questions']:,} among {found['documents']:,}"
    return f"| {what} | {cells(found, own)} | {published['nDCG@10.384']:.3f} | {cells(found, rest)} |"


def search_rows(figures, shape):
    """Rows of the table of searches."""
    rows = [search_row("SQuAD v1.1 dev-a", figures["squad"], figures["published squad"], shape)]
    rows += [
        search_row(title, figures["sources"][name], figures["published sources"][name], shape)
        for name, title in SOURCES.items()
    ]
    return "\n".join(rows)


def fill(figures, choices, model):
    """The values of the card's fields."""
    shape, trunk, speed = model.shape, model.trunk.shape, figures["speed"]
    sizes = (shape.compact, shape.dense, shape.size)
    folds = choices["folds"]
    return {
        **vars(trunk),
        **vars(shape),
        "lexical": shape.lexical,
        "parameters": sum(item.numel() for item in model.parameters()),
        "megabytes": figures["bytes"]["model.onnx"] / 1e6,
        "package": f"{PACKAGE}=={VERSION}",
        "sha256": WHEEL_SHA256,
        "shares": ", ".join(
            f"{name} {share:.0%}" for name, share in zip(("symmetric", "query", "document"), choices["chosen"])
        ),
        "fold_sizes": f"{folds['None'][0]:.3f} and {folds['None'][1]:.3f}",
        "fold_learned": "{:.3f} and {:.3f}".format(*folds[str(choices["pull"])]),
        "sts": cells(figures["sts"], [f"spearman.{size}" for size in sizes]),
        "sts_published": f"{figures['published sts']['spearman.384']:.3f}",
        "searches": search_rows(figures, shape),
        "clinc_train": figures["clinc"]["train"],
        "clinc_test": figures["clinc"]["test"],
        "clinc": " | ".join(f"{figures['clinc'][f'accuracy.{size}']:.1%}" for size in sizes),
        "clinc_published": f"{figures['published clinc']['accuracy.384']:.1%}",
        "speed_tokens": speed["tokens of 100 short texts"],
        "speed_batch": 1e3 * speed["100 short texts"],
        "speed_one": 1e3 * speed["one short text"],
        "speed_long": 1e3 * speed["one text of 512 tokens"],
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--figures", type=Path, required=True)
    parser.add_argument("--choices", type=Path, required=True, help="written by the step fit")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    figures, choices = (json.loads(path.read_text()) for path in (arguments.figures, arguments.choices))
    fields = fill(figures, choices, load_model(arguments.checkpoint))
    (arguments.out / "README.md").write_text(CARD.read_text(encoding="utf-8").format(**fields))
