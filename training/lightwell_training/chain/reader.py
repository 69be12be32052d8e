"""Makes lightwell-reader: published weights, smaller vocabulary, questions, two trainings, export, figures, card.

The same command continues where it was stopped.
"""

from lightwell_training.chain.steps import add_chain_options, run, step

MODEL = "lightwell-reader"

PIECES = 20_000


def steps(data, out, model):
    """The steps in order; `out` has the questions, the checkpoint and the figures, `model` is the folder to write."""
    pretrained, cut, corpus = (out / name for name in ("pretrained", "cut", "corpus"))
    trained, earlier = out / "run" / "checkpoint.pt", out / "earlier.pt"
    start = earlier if earlier.exists() else trained
    checkpoint, calibration, figures = out / "tune" / "mean.pt", out / "calibration.json", out / "figures.json"
    begin, tokenizer = {"pretrained": pretrained, "cut": cut}, cut / "tokenizer.json"
    words = step(
        "trunk", "vocabulary", data=data, pretrained=pretrained, out=cut, pieces=PIECES, unless=cut / "tokenizer.json"
    )
    measured = {"calibration": calibration, "figures": figures, "checkpoint": checkpoint}
    return [
        step("trunk", "fetch", out=pretrained, unless=pretrained / "tokenizer.json"),
        words,
        step("reader", "corpus", data=data, **begin, out=corpus, seed=1, unless=corpus / "office.npz"),
        step("reader", "train", corpus=corpus, **begin, out=out / "run", seed=5, unless=earlier),
        step("reader", "tune", corpus=corpus, start=start, out=out / "tune", seed=12),
        step("reader", "calibrate", corpus=corpus, checkpoint=checkpoint, out=calibration),
        step("reader", "export", checkpoint=checkpoint, tokenizer=tokenizer, calibration=calibration, out=model),
        step("reader", "figures", data=data, model=model, out=figures),
        step("reader", "card", **measured, corpus=corpus, out=model),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain."""
    run(steps, arguments)
