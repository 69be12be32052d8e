"""Puts the decoder between what it was before a training and what it became: a share of each weight's change is kept.

What a long second training on small corpora costs on unseen text comes back so, and what it taught mostly stays.
Source: Wortsman et al. 2022, Robust fine-tuning of zero-shot models, arXiv:2109.01903. The encoder and added layers have no before, and stay as they are.
"""

import argparse
from pathlib import Path

import torch


def blended(before, after, share):
    """`after`, where `before` has the same weight, as before + share * (after - before); both are state dicts."""
    return {name: torch.lerp(before[name], value, share) if name in before else value for name, value in after.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="checkpoint of train.py or train_vision.py, or written by this")
    parser.add_argument("--after", type=Path, required=True, help="checkpoint of train_vision.py, or written by this; its encoder and state are kept")
    parser.add_argument("--share", type=float, required=True, help="of each change that is kept, 0 to 1")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    arguments = parser.parse_args()
    before = torch.load(arguments.before, weights_only=False, map_location="cpu")["model"]
    saved = torch.load(arguments.after, weights_only=False, map_location="cpu")
    saved["model"] = blended(before, saved["model"], arguments.share)
    torch.save(saved, arguments.out)


if __name__ == "__main__":
    main()
