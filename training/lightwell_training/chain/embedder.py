"""Makes lightwell-embed: tokenizer and token ids, word vectors, training, balance, export, figures, card.

The same command continues where it was stopped.
"""

from lightwell_training.chain.steps import SETTINGS, add_chain_options, run, step

MODEL = "lightwell-embed"


def steps(data, out, model):
    """The steps in order; `out` has the texts, the checkpoints and the figures, `model` is the folder to write."""
    work, settled, figures = out / "data", out / "run" / "settled.pt", out / "figures.json"
    return [
        step("embedder", "prepare", data=data, out=work, unless=work / "prose.npy"),
        step("embedder", "vectors", out=work, unless=work / "vectors.npz"),
        step("embedder", "train", work=work, out=out / "run", seed=1, threads=1),
        step("embedder", "calibrate", work=work, checkpoint=out / "run" / "checkpoint.pt", out=settled),
        step("embedder", "export", checkpoint=settled, tokenizer=work / "tokenizer.json", out=model),
        step("embedder", "evaluate", data=data, work=work, model=model, out=figures),
        step("embedder", "card", figures=figures, checkpoint=settled, out=model),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain. One thread in every step: another number gives other weights, by rounding."""
    run(steps, arguments, {**SETTINGS, "OMP_NUM_THREADS": "1"})
