"""Trains the decoder on text, from nothing, as a schedule says; a restart continues.

Muon trains the matrices and AdamW the embedding and the norms, in bfloat16.
"""

import argparse
from pathlib import Path

import torch

from model import Decoder, Shape
from rows import Mixture
from run import TextRun, train
from schedule import read_schedule


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="folder written by corpus.py")
    parser.add_argument("--schedule", type=Path, required=True, help="JSON, see schedule.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints and the log")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    decoder = Decoder(Shape())
    run = TextRun(arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), decoder, Mixture(arguments.corpus, arguments.seed, {}), decoder)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)


if __name__ == "__main__":
    main()
