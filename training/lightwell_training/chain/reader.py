"""Makes lightwell-reader: word vectors, questions, weights to begin with, training, check, calibration, export, card.

The same command continues where it was stopped.
"""

from lightwell_training.chain.steps import add_chain_options, run, step

MODEL = "lightwell-reader"


def steps(data, out, model):
    """The steps in order; `out` has the questions, the checkpoints and the figures, `model` is the folder to write."""
    corpus, checkpoint = out / "corpus", out / "run" / "checkpoint.pt"
    check, calibration = out / "check.pt", out / "calibration.json"
    public, start, trained = out / "words.npz", out / "start.pt", {"corpus": corpus, "checkpoint": checkpoint}
    return [
        step("corpora", "word-vectors", out=public, unless=public),
        step("reader", "corpus", data=data, vectors=public, out=corpus, seed=1, unless=corpus / "held.npy"),
        step("reader", "start", corpus=corpus, out=start, unless=start),
        step("reader", "train", corpus=corpus, begin=start, out=out / "run", seed=1, threads=1),
        step("reader", "train-check", data=data, **trained, out=check, seed=1),
        step("reader", "calibrate", data=data, **trained, check=check, out=calibration),
        step("reader", "export", **trained, check=check, calibration=calibration, out=model),
        step("reader", "figures", data=data, model=model, out=out / "figures.json"),
        step("reader", "card", work=out, out=model),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain."""
    run(steps, arguments)
