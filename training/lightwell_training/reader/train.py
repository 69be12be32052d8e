"""Trains the reader on questions with and without an answer, as a schedule says; a restart continues.

It starts from all-MiniLM-L6-v2, or, for a teacher, from all-mpnet-base-v2. AdamW trains all weights, in bfloat16, on a
processor or a GPU.
"""

import os
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from lightwell_training.loop.run import NetworkRun, add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.reader.data.batches import Questions, loaded
from lightwell_training.reader.measure.scores import held_figures
from lightwell_training.reader.network import Reader, load_checkpoint
from lightwell_training.trunk.mpnet import mpnet_trunk
from lightwell_training.trunk.network import pretrained_trunk
from lightwell_training.trunk.pretrained import read_weights

SCHEDULE = Path(__file__).with_name("schedule.json")

BATCH, DROPOUT = 48, 0.1
TEMPERATURE, TAUGHT_SHARE = 2.0, 0.7  # of the loss by a teacher's chances (Hinton et al. 2015), and its share


def optimizers_of(model):
    """AdamW; norms, biases and embeddings do not decay."""
    decaying = [p for name, p in model.named_parameters() if p.ndim == 2 and "trunk.layers" in name]
    rest = [p for name, p in model.named_parameters() if not (p.ndim == 2 and "trunk.layers" in name)]
    groups = [
        {"params": decaying, "weight_decay": 0.01, "name": "matrices"},
        {"params": rest, "weight_decay": 0.0, "name": "others"},
    ]
    return [torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)]


def logits_of(model, ids, mask, types):
    """Logits of start and end, float32 [2, batch, tokens], computed in bfloat16."""
    with torch.autocast(ids.device.type, dtype=torch.bfloat16):
        return model(ids, mask, types)


def given_loss(logits, targets):
    """Negative log likelihood of start and end; where several places are right, of their sum."""
    chances = torch.logsumexp(logits.log_softmax(-1) + (targets - 1.0) * 1e4, -1)
    return -chances.sum(0).mean()


def taught_loss(logits, taught):
    """Divergence of the chances of start and end from the teacher's, both at TEMPERATURE, in nats times its square."""
    own, wanted = ((values / TEMPERATURE).log_softmax(-1).flatten(0, 1) for values in (logits, taught))
    return 2 * TEMPERATURE**2 * F.kl_div(own, wanted, reduction="batchmean", log_target=True)


def loss_of(model, batch, teacher=None):
    """The loss of one batch as `pack` gives it; with a teacher, a share of it is that by the teacher's chances."""
    *inputs, targets = batch
    logits = logits_of(model, *inputs)
    loss = given_loss(logits, targets)
    if teacher is None:
        return loss
    with torch.no_grad():
        taught = logits_of(teacher, *inputs)
    return (1 - TAUGHT_SHARE) * loss + TAUGHT_SHARE * taught_loss(logits, taught)


def device_name(device):
    """What a training runs on, for the card."""
    if device.type == "cpu":
        return f"{torch.get_num_threads()} threads of a processor"
    return torch.cuda.get_device_name(device)


class ReaderRun(NetworkRun):
    """A training on questions with and without an answer."""

    longest_gradient = 1.0

    def __init__(self, path, schedule, model, questions, seed, teacher=None, batch=BATCH, dropout=DROPOUT):
        for layer in model.trunk.layers:
            layer.dropout = dropout
        super().__init__(path, schedule, model, optimizers_of(model), seed)
        self.questions, self.batches, self.device = questions, None, next(model.parameters()).device
        self.teacher, self.batch = teacher, batch
        self.state["tokens"] = 0

    def values(self):
        return {**super().values(), "device": device_name(self.device)}

    def positions(self):
        """Tokens of questions and passages, padding among them."""
        return self.state["tokens"]

    def backward(self, number):
        if self.batches is None:
            self.batches = loaded(self.questions, self.batch, self.seed, number)
        batch = [values.to(self.device) for values in next(self.batches)]
        loss = loss_of(self.network, batch, self.teacher)
        loss.backward()
        self.state["tokens"] += batch[0].numel()
        return {"loss": loss.item()}


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--cut", type=Path, required=True, help="folder that trunk vocabulary wrote")
    parser.add_argument("--mpnet", type=Path, help="folder that trunk fetch-teacher wrote: start from it")
    parser.add_argument("--teacher", type=Path, help="checkpoint of a training with --mpnet, to learn from")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    add_training_options(parser, SCHEDULE)


def starting_network(arguments):
    """The reader with published weights in all layers but its last."""
    if arguments.mpnet:
        return Reader(mpnet_trunk(arguments.mpnet, arguments.cut / "tokenizer.json"))
    return Reader(pretrained_trunk(read_weights(arguments.pretrained), np.load(arguments.cut / "kept.npy")))


def main(arguments):
    """Runs this step."""
    # Without it torch refuses the matrix products of a GPU where algorithms have to be deterministic.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    prepare(arguments)
    model = starting_network(arguments).to(arguments.device)
    teacher = load_checkpoint(arguments.teacher)[0].to(arguments.device) if arguments.teacher else None
    questions, held = (Questions(arguments.corpus / f"{part}.npz") for part in ("train", "held"))
    path, schedule = arguments.out / "checkpoint.pt", read_schedule(arguments.schedule)
    run = ReaderRun(path, schedule, model, questions, arguments.seed, teacher)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        report(log, held_figures(model, held))
