"""The command line: python -m lightwell_training MODEL STEP, one step in one process.

A step is a module with `add_options(parser)` and `main(arguments)`. It is imported only when it is asked for, so that
help and the list of the corpora need no torch.
"""

import argparse
import sys
from importlib import import_module

from lightwell_training.corpora.sources import WrongCorpusError
from lightwell_training.repository import NotInRepositoryError

MODELS = {
    "base": {
        "run": ("chain.base", "every step below that makes the model, in order"),
        "corpus": ("text.corpus", "tokenizer and token streams by domain"),
        "further": ("text.further", "further token streams with that tokenizer"),
        "skills": ("text.skills", "a stream of texts that teach skills, with that tokenizer"),
        "train-text": ("decoder.train", "the decoder, on text"),
        "train-tiles": ("vision.train_tiles", "the encoder, on what each tile of a picture shows"),
        "train-joint": ("vision.train_joint", "decoder and encoder, on text and pictures"),
        "earlier": ("vision.earlier", "decoder and encoder before the skills, from the repository's history"),
        "train-skills": ("vision.train_skills", "the decoder, on texts that teach skills among the others"),
        "mean": ("decoder.mean", "the mean of the checkpoints that the last training kept"),
        "export": ("vision.export.hub", "the model's folder, checked against torch"),
        "evaluate": ("vision.measure.evaluate", "figures on text and pictures"),
        "card": ("vision.measure.card", "README.md of the model's folder"),
        "evaluate-text": ("decoder.evaluate", "figures on text of any checkpoint"),
        "held-out": ("text.held_out", "what npm run evaluate measures perplexity on"),
        "scene-set": ("vision.scenes.scene_set", "the scenes that npm run evaluate asks about"),
        "scene-sheet": ("vision.scenes.sheet", "a sheet of scenes to look at, and the generator's speed"),
    },
    "trunk": {
        "fetch": ("trunk.pretrained", "the published weights of all-MiniLM-L6-v2, by name and checksum"),
        "fetch-teacher": ("trunk.mpnet", "the published weights of all-mpnet-base-v2, by name and checksum"),
        "vocabulary": ("trunk.vocabulary", "a smaller vocabulary, by counts"),
    },
    "embedder": {
        "run": ("chain.embedder", "every step below, in order"),
        "terms": ("embedder.terms", "tokenizer, and the terms of the lexical part"),
        "fit": ("embedder.fit", "the heads, and the shares of the dense and the lexical part"),
        "export": ("embedder.export", "the model's folder, checked against torch"),
        "evaluate": ("embedder.measure.evaluate", "figures of the exported file"),
        "card": ("embedder.measure.card", "README.md of the model's folder"),
    },
    "reader": {
        "run": ("chain.reader", "every step below, in order"),
        "corpus": ("reader.data.corpus", "tokenised questions, each with changed forms that have no answer"),
        "train": ("reader.train", "the network"),
        "earlier": ("reader.earlier", "the network after that step, from the repository's history"),
        "tune": ("reader.tune", "its upper layers further, on questions about office texts for the most part"),
        "calibrate": ("reader.measure.calibrate", "scale and bias of the score"),
        "export": ("reader.export", "the model's folder, checked against torch"),
        "figures": ("reader.measure.figures", "figures of the exported file"),
        "card": ("reader.measure.card", "README.md of the model's folder"),
    },
    "models": {
        "manifest": ("graph.manifest", "size and SHA-256 of every file that the app ships, for the app to check"),
    },
    "corpora": {
        "list": ("corpora.list", "each corpus with source, licence and SHA-256"),
        "check": ("corpora.verify", "whether a data folder has every corpus with its SHA-256"),
    },
}


def overview():
    """The parser of the two names in front of a step's options; it knows no step's options."""
    parser = argparse.ArgumentParser(prog="lightwell_training", description="Makes the models that Lightwell ships.")
    models = parser.add_subparsers(dest="model", required=True, metavar="MODEL")
    for model, steps in MODELS.items():
        steps_of = models.add_parser(model, help=", ".join(steps)).add_subparsers(required=True, metavar="STEP")
        for step, (_, help_text) in steps.items():
            steps_of.add_parser(step, help=help_text)
    return parser


def main(words=None):
    """Runs the step that the words of a command line name, those of this process where none are given.

    Exits with 1 and a message where a corpus is wrong or the repository is out of reach, and with 2 on unknown words.
    """
    words = sys.argv[1:] if words is None else words
    model, step = (*words, "", "")[:2]
    if step not in MODELS.get(model, {}):
        overview().parse_args(words)
    module = import_module(f"lightwell_training.{MODELS[model][step][0]}")
    parser = argparse.ArgumentParser(
        prog=f"lightwell_training {model} {step}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser)
    try:
        module.main(parser.parse_args(words[2:]))
    except (WrongCorpusError, NotInRepositoryError) as error:
        raise SystemExit(f"lightwell_training {model} {step}: {error}") from error
