"""Makes lightwell-embed: public word vectors, tokenizer and token ids, training, balance, export, figures, card.

The same command continues where it was stopped.
"""

from pathlib import Path

from lightwell_training import embedder
from lightwell_training.chain.steps import SETTINGS, add_chain_options, run, step

MODEL = "lightwell-embed"
SCHEDULES = Path(embedder.__file__).parent
BEFORE_LATE = "step-490.pt"  # the checkpoint that schedule.json keeps, after batches.LATE of the steps


def steps(data, out, model):
    """The steps in order; `out` has the texts, the checkpoints and the figures, `model` is the folder to write."""
    work, settled, figures, public = out / "data", out / "run" / "settled.pt", out / "figures.json", out / "words.npz"
    tokenizer, transfer = work / "tokenizer.json", out / "transfer.json"
    return [
        step("corpora", "word-vectors", out=public, unless=public),
        step("embedder", "prepare", data=data, vectors=public, out=work, unless=work / "texts.npz"),
        step("embedder", "vectors", vectors=public, out=work, unless=work / "vectors.npz"),
        step("embedder", "negatives", out=work, unless=work / "negatives.npz"),
        step("embedder", "taught", data=data, out=work, unless=work / "taught.npz"),
        step("embedder", "train", work=work, out=out / "words", seed=1, threads=1),
        *measure_transfer(data, work, out, transfer),
        step("embedder", "train", work=work, **further(out), out=out / "further", seed=2, threads=1),
        step("embedder", "train", work=work, **layered(out), out=out / "run", seed=3, threads=1),
        step("embedder", "calibrate", work=work, checkpoint=out / "run" / "checkpoint.pt", out=settled),
        step("embedder", "export", checkpoint=settled, tokenizer=tokenizer, out=model),
        step("embedder", "evaluate", data=data, work=work, model=model, out=figures),
        step("embedder", "card", figures=figures, transfer=transfer, **checkpoints(out), out=model),
    ]


def checkpoints(out):
    """Those of the trainings in their order, the last with its shares settled."""
    words, further = (out / name / "checkpoint.pt" for name in ("words", "further"))
    return {"words": words, "further": further, "checkpoint": out / "run" / "settled.pt"}


def further(out):
    """The options of the second training: more of the sources that came late, and more sentences."""
    return {"begin": out / "words" / "checkpoint.pt", "schedule": SCHEDULES / "further.json"}


def layered(out):
    """The options of the third training, which adds the attention layer."""
    return {"begin": out / "further" / "checkpoint.pt", "layers": 1, "schedule": SCHEDULES / "layered.json"}


def measure_transfer(data, work, out, figures):
    """Figures on the sources that come late in the training, of the network before it saw them."""
    before, settled, folder = out / "words" / BEFORE_LATE, out / "words" / "before.pt", out / "before"
    return [
        step("embedder", "calibrate", work=work, checkpoint=before, out=settled, unless=figures),
        step("embedder", "export", checkpoint=settled, tokenizer=work / "tokenizer.json", out=folder, unless=figures),
        step("embedder", "evaluate", data=data, work=work, model=folder, out=figures, only="sources", unless=figures),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain. One thread in every step: another number gives other weights, by rounding."""
    run(steps, arguments, {**SETTINGS, "OMP_NUM_THREADS": "1"})
