"""Makes lightwell-base: corpus, four trainings, means of the last two's ends, export, figures, card.

The same command continues where it was stopped. What the step earlier writes stands in for the first three trainings.
"""

from lightwell_training.chain.steps import add_chain_options, run, step

MODEL = "lightwell-base"


def steps(data, out, model):
    """The steps in order; `out` has the corpus, the checkpoints and the figures, `model` is the folder to write."""
    corpus, tokenizer = out / "corpus", out / "corpus" / "tokenizer.json"
    text, tiles = out / "text" / "checkpoint.pt", out / "tiles" / "checkpoint.pt"
    earlier, mean, figures = out / "mean.pt", out / "skills" / "mean.pt", out / "figures.json"
    return [
        step("base", "corpus", data=data, out=corpus, synthetic=240000, seed=1, unless=corpus / "books.held.npz"),
        step("base", "further", data=data, out=corpus, seed=1, unless=corpus / "rivals.train.npz"),
        step("base", "train-text", corpus=corpus, out=out / "text", seed=1, unless=earlier),
        step("base", "train-tiles", base=text, tokenizer=tokenizer, out=out / "tiles", seed=1, unless=earlier),
        step("base", "train-joint", corpus=corpus, base=text, tiles=tiles, out=out / "joint", seed=1, unless=earlier),
        step("base", "mean", training=out / "joint", out=earlier, unless=earlier),
        step("base", "skills", data=data, out=corpus, seed=1, unless=corpus / "skills.held.npz"),
        step("base", "train-skills", corpus=corpus, base=earlier, out=out / "skills", seed=1),
        step("base", "mean", training=out / "skills", out=mean),
        step("base", "export", checkpoint=mean, tokenizer=tokenizer, out=model),
        step("base", "evaluate", checkpoint=mean, folder=model, corpus=corpus, out=figures, threads=2),
        step("base", "card", figures=figures, tiles=out / "tiles" / "log.jsonl", out=model),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain."""
    run(steps, arguments)
