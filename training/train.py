"""Trains the decoder on text, from nothing, as a schedule says; a restart continues.

Muon trains the matrices and AdamW the embedding and the norms, in bfloat16.
"""

import argparse
from pathlib import Path

from model import Decoder, Shape
from rows import Mixture
from run import train, training_arguments
from schedule import read_schedule
from text_run import TextRun


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="folder written by corpus.py and prose.py")
    arguments = training_arguments(parser)
    decoder = Decoder(Shape())
    run = TextRun(arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), decoder, Mixture(arguments.corpus, arguments.seed, {}), decoder)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)


if __name__ == "__main__":
    main()
