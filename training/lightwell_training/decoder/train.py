"""Trains the decoder on text from random weights, as a schedule says; a restart continues.

Muon trains the matrices, AdamW the embedding and the norms, in bfloat16.
"""

from pathlib import Path

from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.decoder.text_run import TextRun
from lightwell_training.loop.run import add_training_options, prepare, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.text.rows import Mixture

SCHEDULE = Path(__file__).with_name("text.json")


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder that the steps corpus and further wrote")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    decoder = Decoder(Shape())
    run = TextRun(
        arguments.out / "checkpoint.pt",
        read_schedule(arguments.schedule),
        decoder,
        Mixture(arguments.corpus, arguments.seed, {}),
        decoder,
    )
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
