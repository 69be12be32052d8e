"""Writes the model card, README.md of the model's folder, from checkpoint, calibration and figures."""

import json
from pathlib import Path

from lightwell_training.reader import tune
from lightwell_training.reader.data.batches import CROPPED, KINDS, LONGEST, NEGATIVE, Questions
from lightwell_training.reader.data.corpus import OFFICE_REPEATS, office_documents, office_rows, training_documents
from lightwell_training.reader.network import load_checkpoint
from lightwell_training.reader.train import BATCH, DROPOUT
from lightwell_training.trunk.pretrained import PACKAGE, VERSION, WHEEL_SHA256

CARD = Path(__file__).with_name("card.md")


def row(values):
    """Cells of a row."""
    return " | ".join(str(value) for value in values)


def held_row(name, group):
    """Line of the table of held-out figures."""
    fifths = ", ".join(f"{score:.2f}: {right:.2f} of {count}" for score, right, count in group["reliability"])
    return f"| {name} | {group['questions']:,} | {group['area']:.1f} % | {fifths} |"


def add_options(parser):
    """Adds the options of this step."""
    for name, step in (("figures", "figures"), ("calibration", "calibrate"), ("checkpoint", "tune")):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"written by the step {step}")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")


def main(arguments):
    """Runs this step."""
    figures, held = (json.loads(path.read_text()) for path in (arguments.figures, arguments.calibration))
    model, saved = load_checkpoint(arguments.checkpoint)
    questions, words = Questions(arguments.corpus / "train.npz"), figures["v1"]["by_word"]
    first, second = saved["first"], saved["state"]
    office = office_rows(office_documents())
    card = CARD.read_text(encoding="utf-8").format(
        **vars(model.shape),
        parameters=sum(item.numel() for item in model.parameters()),
        size=(arguments.out / "onnx" / "model.onnx").stat().st_size / 1e6,
        longest=LONGEST,
        batch=BATCH,
        steps=first["state"]["step"],
        epochs=first["state"]["step"] * BATCH / len(questions),
        seed=first["seed"],
        dropout=DROPOUT,
        minutes=first["state"]["seconds"] / 60,
        device=first["device"],
        tune=vars(tune),
        upper=model.shape.layers - tune.FROZEN,
        tuned=second | {"seed": saved["seed"], "device": saved["device"], "minutes": second["seconds"] / 60},
        package=f"{PACKAGE}=={VERSION}",
        sha256=WHEEL_SHA256,
        negative=NEGATIVE,
        kinds=KINDS,
        cropped=CROPPED,
        statements=questions.told,
        office=len(office),
        office_texts=len({row["title"] for row in office}),
        unanswerable=sum(not row["answers"] for row in office),
        repeated=len(office_rows(training_documents())),
        repeats=OFFICE_REPEATS,
        questions=len(questions),
        v1=figures["v1"],
        v2=figures["v2"],
        held="\n".join(held_row(name, held[name]) for name in ("passages", "statements")),
        words=row(words),
        lines=" --- |" * len(words),
        values=row(value for value, _ in words.values()),
        counts=row(count for _, count in words.values()),
    )
    (arguments.out / "README.md").write_text(card, encoding="utf-8")
