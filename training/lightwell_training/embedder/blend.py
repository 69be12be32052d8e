"""Writes the mean of trainings that went on from the same weights, a part of the way back to where the first began.

The mean of their weights is better than each (Wortsman et al. 2022, arXiv:2203.05482, section 3). What a training
learns fits its own texts best: between its start and its end lie weights that are better on others (Wortsman et al.
2022, arXiv:2109.01903, section 3). The file has the form of a training's checkpoint.
"""

from pathlib import Path

import torch

from lightwell_training.embedder.train import begin, make_model
from lightwell_training.loop.mean import mean_of_states

SHARE = 0.85  # of the trained weights, the rest is the start's
TERMS_SHARE = 0.5  # the same of how much terms count, which starts from their frequencies


def blended(start, end):
    """The weighted mean of two states."""
    shares = {name: TERMS_SHARE if name == "term_weight" else SHARE for name in end}
    return {
        name: torch.lerp(start[name], values, shares[name]) if values.is_floating_point() else values
        for name, values in end.items()
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--work", type=Path, required=True, help="folder that the steps before wrote")
    parser.add_argument("--checkpoints", type=Path, nargs="+", required=True, help="of the trainings")
    parser.add_argument("--seed", type=int, default=1, help="of the training that began with word vectors")
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint to write")


def main(arguments):
    """Runs this step."""
    saved = [torch.load(path, weights_only=False) for path in arguments.checkpoints]
    torch.set_num_threads(1)  # as in the training: another number rounds its start otherwise
    torch.manual_seed(arguments.seed)
    model = make_model(arguments.work)
    begin(model, arguments.seed, arguments.work, None)
    state = blended(model.state_dict(), mean_of_states([each["model"] for each in saved]))
    torch.save(saved[0] | {"model": state}, arguments.out)
