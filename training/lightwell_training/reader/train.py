"""Trains the reader on questions with and without an answer, as a schedule says; a restart continues.

It starts from all-MiniLM-L6-v2. AdamW trains all weights, in bfloat16, on a processor or a GPU.
"""

import os
from pathlib import Path

import numpy as np
import torch

from lightwell_training.loop.run import NetworkRun, add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.reader.data.batches import Questions, loaded
from lightwell_training.reader.measure.scores import held_figures
from lightwell_training.reader.network import Reader
from lightwell_training.trunk.network import pretrained_trunk
from lightwell_training.trunk.pretrained import read_weights

SCHEDULE = Path(__file__).with_name("schedule.json")

BATCH, DROPOUT = 48, 0.1


def optimizers_of(model):
    """AdamW; norms, biases and embeddings do not decay."""
    decaying = [p for name, p in model.named_parameters() if p.ndim == 2 and "trunk.layers" in name]
    rest = [p for name, p in model.named_parameters() if not (p.ndim == 2 and "trunk.layers" in name)]
    groups = [
        {"params": decaying, "weight_decay": 0.01, "name": "matrices"},
        {"params": rest, "weight_decay": 0.0, "name": "others"},
    ]
    return [torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)]


def loss_of(model, ids, mask, types, targets):
    """Negative log likelihood of start and end; where several places are right, of their sum."""
    with torch.autocast(targets.device.type, dtype=torch.bfloat16):
        logits = model(ids, mask, types)
    chances = torch.logsumexp(logits.log_softmax(-1) + (targets - 1.0) * 1e4, -1)
    return -chances.sum(0).mean()


def device_name(device):
    """What a training runs on, for the card."""
    if device.type == "cpu":
        return f"{torch.get_num_threads()} threads of a processor"
    return torch.cuda.get_device_name(device)


class ReaderRun(NetworkRun):
    """A training on questions with and without an answer."""

    longest_gradient = 1.0

    def __init__(self, path, schedule, model, questions, seed):
        for layer in model.trunk.layers:
            layer.dropout = DROPOUT
        super().__init__(path, schedule, model, optimizers_of(model), seed)
        self.questions, self.batches, self.device = questions, None, next(model.parameters()).device
        self.state["tokens"] = 0

    def values(self):
        return {**super().values(), "device": device_name(self.device)}

    def positions(self):
        """Tokens of questions and passages, padding among them."""
        return self.state["tokens"]

    def backward(self, number):
        if self.batches is None:
            self.batches = loaded(self.questions, BATCH, self.seed, number)
        ids, mask, types, targets = (values.to(self.device) for values in next(self.batches))
        loss = loss_of(self.network, ids, mask, types, targets)
        loss.backward()
        self.state["tokens"] += ids.numel()
        return {"loss": loss.item()}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--cut", type=Path, required=True, help="folder that trunk vocabulary wrote")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    # Without it torch refuses the matrix products of a GPU where algorithms have to be deterministic.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    prepare(arguments)
    trunk = pretrained_trunk(read_weights(arguments.pretrained), np.load(arguments.cut / "kept.npy"))
    model = Reader(trunk).to(arguments.device)
    questions, held = (Questions(arguments.corpus / f"{part}.npz") for part in ("train", "held"))
    run = ReaderRun(
        arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), model, questions, arguments.seed
    )
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        report(log, held_figures(model, held))
