"""Makes lightwell-embed: published weights, smaller vocabulary, terms, heads and shares, export, figures, card.

The same command continues where it was stopped.
"""

from lightwell_training.chain.steps import add_chain_options, run, step

MODEL = "lightwell-embed"


def steps(data, out, model):
    """The steps in order; `out` has the weights and the figures, `model` is the folder to write."""
    pretrained, cut, terms, fit = (out / name for name in ("pretrained", "cut", "terms", "fit"))
    checkpoint, tokenizer, figures = fit / "embedder.pt", terms / "tokenizer.json", out / "figures.json"
    begin = {"pretrained": pretrained, "cut": cut}
    return [
        step("trunk", "fetch", out=pretrained, unless=pretrained / "tokenizer.json"),
        step("trunk", "vocabulary", data=data, pretrained=pretrained, out=cut, unless=cut / "tokenizer.json"),
        step("embedder", "terms", data=data, cut=cut, out=terms, unless=terms / "terms.npz"),
        step("embedder", "fit", data=data, **begin, terms=terms, out=fit, unless=fit / "choices.json"),
        step("embedder", "export", checkpoint=checkpoint, tokenizer=tokenizer, out=model),
        step("embedder", "evaluate", data=data, pretrained=pretrained, model=model, out=figures),
        step("embedder", "card", figures=figures, choices=fit / "choices.json", checkpoint=checkpoint, out=model),
    ]


def add_options(parser):
    """Adds the options of the chain."""
    add_chain_options(parser, MODEL)


def main(arguments):
    """Runs the chain."""
    run(steps, arguments)
