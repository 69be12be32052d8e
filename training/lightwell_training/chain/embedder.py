"""Makes lightwell-embed: public word vectors, tokenizer and token ids, training, balance, export, figures, card.

The same command continues where it was stopped.
"""

from pathlib import Path

from lightwell_training import embedder
from lightwell_training.chain.steps import SETTINGS, add_chain_options, run, step

MODEL = "lightwell-embed"
SCHEDULES = Path(embedder.__file__).parent
UNSEEN = ("pairs.medquad", "pairs.openstax-exercises")  # left out by the training that shows transfer


def steps(data, out, model):
    """The steps in order; `out` has the texts, the checkpoints and the figures, `model` is the folder to write."""
    work, settled, figures, public = out / "data", out / "run" / "settled.pt", out / "figures.json", out / "words.npz"
    words, transfer = out / "words" / "checkpoint.pt", out / "transfer.json"
    return [
        step("corpora", "word-vectors", out=public, unless=public),
        step("embedder", "prepare", data=data, vectors=public, out=work, unless=work / "texts.npz"),
        step("embedder", "vectors", vectors=public, out=work, unless=work / "vectors.npz"),
        step("embedder", "negatives", out=work, unless=work / "negatives.npz"),
        *measure_transfer(data, work, out / "transfer", transfer),
        step("embedder", "train", work=work, out=words.parent, seed=1, threads=1),
        step("embedder", "train", work=work, **layered(words), out=settled.parent, seed=2, threads=1),
        step("embedder", "calibrate", work=work, checkpoint=settled.parent / "checkpoint.pt", out=settled),
        step("embedder", "export", checkpoint=settled, tokenizer=work / "tokenizer.json", out=model),
        step("embedder", "evaluate", data=data, work=work, model=model, out=figures),
        step("embedder", "card", figures=figures, transfer=transfer, words=words, checkpoint=settled, out=model),
    ]


def layered(words):
    """The options of the second training, which goes on from the first and adds the attention layer."""
    return {"begin": words, "layers": 1, "schedule": SCHEDULES / "layered.json"}


def measure_transfer(data, work, out, figures):
    """Figures on two sources of a network that never saw them; only the figures are used."""
    checkpoint, settled, folder = out / "checkpoint.pt", out / "settled.pt", out / "model"
    tokenizer, options = work / "tokenizer.json", {"schedule": SCHEDULES / "transfer.json", "seed": 1, "threads": 1}
    return [
        step("embedder", "train", work=work, without=UNSEEN, **options, out=out, unless=figures),
        step("embedder", "calibrate", work=work, without=UNSEEN, checkpoint=checkpoint, out=settled, unless=figures),
        step("embedder", "export", checkpoint=settled, tokenizer=tokenizer, out=folder, unless=figures),
        step("embedder", "evaluate", data=data, work=work, model=folder, out=figures, only="sources", unless=figures),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain. One thread in every step: another number gives other weights, by rounding."""
    run(steps, arguments, {**SETTINGS, "OMP_NUM_THREADS": "1"})
