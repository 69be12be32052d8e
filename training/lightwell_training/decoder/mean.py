"""Writes the mean of the checkpoints that a training kept (Vaswani et al. 2017, arXiv:1706.03762, section 6.1).

The file has the form of the training's last checkpoint, so export, figures and held_out.py read it. Its state lists the
steps of the mean.
"""

from pathlib import Path

import torch

from lightwell_training.loop.mean import mean_of_states
from lightwell_training.loop.run import kept_path


def mean_of(checkpoints):
    """The last of the checkpoints by step, with the mean of all their weights.

    The mean covers the weights of an encoder too, where there is one.
    """
    checkpoints = sorted(checkpoints, key=lambda saved: saved["state"]["step"])
    last = checkpoints[-1]
    for part in {"model", "encoder"} & last.keys():
        last[part] = mean_of_states([saved[part] for saved in checkpoints])
    last["state"]["mean_of"] = [saved["state"]["step"] for saved in checkpoints]
    return last


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument(
        "--training", type=Path, required=True, help="folder of a training whose schedule keeps checkpoints"
    )
    parser.add_argument("--out", type=Path, required=True)


def main(arguments):
    """Runs this step."""
    path = arguments.training / "checkpoint.pt"
    steps = torch.load(path, weights_only=False, map_location="cpu")["schedule"]["kept"]
    if not steps:
        raise SystemExit(f"{path}: its schedule keeps no steps")
    torch.save(
        mean_of([torch.load(kept_path(path, step), weights_only=False, map_location="cpu") for step in steps]),
        arguments.out,
    )
