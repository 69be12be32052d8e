"""Makes lightwell-embed: public word vectors, tokenizer and token ids, training, blend, balance, export, figures, card.

The same command continues where it was stopped.
"""

from pathlib import Path

from lightwell_training import embedder
from lightwell_training.chain.steps import SETTINGS, add_chain_options, run, step

MODEL = "lightwell-embed"
SCHEDULES = Path(embedder.__file__).parent
BRANCHES = (11, 12, 13, 14)  # seeds of the trainings that go on from the first one, whose mean is taken
UNSEEN = ("pairs.medquad", "pairs.openstax-exercises")  # left out by the training that shows transfer


def steps(data, out, model):
    """The steps in order; `out` has the texts, the checkpoints and the figures, `model` is the folder to write."""
    work, settled, figures, public = out / "data", out / "run" / "settled.pt", out / "figures.json", out / "words.npz"
    words, transfer = out / "words", out / "transfer.json"
    trained, blended = words / "checkpoint.pt", words / "blended.pt"
    branches = tuple(branch(words, seed)["out"] / "checkpoint.pt" for seed in BRANCHES)
    before = (trained, *branches)
    return [
        step("corpora", "word-vectors", out=public, unless=public),
        step("embedder", "prepare", data=data, vectors=public, out=work, unless=work / "texts.npz"),
        step("embedder", "vectors", vectors=public, out=work, unless=work / "vectors.npz"),
        step("embedder", "negatives", out=work, unless=work / "negatives.npz"),
        *measure_transfer(data, work, out / "transfer", transfer),
        step("embedder", "train", work=work, out=words, seed=1, threads=1),
        *(step("embedder", "train", work=work, **branch(words, seed)) for seed in BRANCHES),
        step("embedder", "blend", work=work, checkpoints=branches, out=blended),
        step("embedder", "train", work=work, **layered(blended), out=settled.parent, seed=2, threads=1),
        step("embedder", "calibrate", work=work, checkpoint=settled.parent / "checkpoint.pt", out=settled),
        step("embedder", "export", checkpoint=settled, tokenizer=work / "tokenizer.json", out=model),
        step("embedder", "evaluate", data=data, work=work, model=model, out=figures),
        step("embedder", "card", figures=figures, transfer=transfer, words=before, checkpoint=settled, out=model),
    ]


def branch(words, seed):
    """The options of a training that goes on from the first one with other texts."""
    begin, out = words / "checkpoint.pt", words / f"branch-{seed}"
    return {"begin": begin, "schedule": SCHEDULES / "branch.json", "seed": seed, "threads": 1, "out": out}


def layered(blended):
    """The options of the last training, which adds the attention layer."""
    return {"begin": blended, "layers": 1, "schedule": SCHEDULES / "layered.json"}


def measure_transfer(data, work, out, figures):
    """Figures on two sources of a network that never saw them; only the figures are used."""
    checkpoint, blended, settled, folder = (
        out / name for name in ("checkpoint.pt", "blended.pt", "settled.pt", "model")
    )
    tokenizer, options = work / "tokenizer.json", {"schedule": SCHEDULES / "transfer.json", "seed": 1, "threads": 1}
    return [
        step("embedder", "train", work=work, without=UNSEEN, **options, out=out, unless=figures),
        step("embedder", "blend", work=work, checkpoints=checkpoint, out=blended, unless=figures),
        step("embedder", "calibrate", work=work, without=UNSEEN, checkpoint=blended, out=settled, unless=figures),
        step("embedder", "export", checkpoint=settled, tokenizer=tokenizer, out=folder, unless=figures),
        step("embedder", "evaluate", data=data, work=work, model=folder, out=figures, only="sources", unless=figures),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain. One thread in every step: another number gives other weights, by rounding."""
    run(steps, arguments, {**SETTINGS, "OMP_NUM_THREADS": "1"})
