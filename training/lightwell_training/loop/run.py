"""The loop of every training: steps, checkpoints, log, and a restart that continues.

Schedule and seed fix every step, so that the same command with as many threads gives the same weights again.
"""

import json
import time
from dataclasses import asdict
from pathlib import Path

import torch

SAVE_SECONDS, LOG_STEPS = 120, 20


def add_training_options(parser, schedule):
    """Adds what every training is told; `schedule` is the path of the schedule that the committed weights come from."""
    parser.add_argument("--schedule", type=Path, default=schedule, help="JSON, see loop/schedule.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="another number gives other weights, by rounding")


def prepare(arguments):
    """Makes the folder, and sets threads and random numbers, before a training makes its network."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)


def kept_path(path, step):
    """Where the checkpoint of a step to keep stands, beside the training's last one at `path`."""
    return path.with_name(f"step-{step}.pt")


class Run:
    """A training of `network`; a subclass says in `backward` where its gradients come from.

    Each group of the optimizers has a name, by which the schedule gives its rate.
    """

    longest_gradient = 1.0  # norm to which the network's gradients are cut

    def __init__(self, path, schedule, network, optimizers):
        self.path, self.schedule, self.network, self.optimizers = path, schedule, network, optimizers
        self.state = {"step": 0, "seconds": 0.0}

    def values(self):
        """What a checkpoint holds."""
        optimizers = [optimizer.state_dict() for optimizer in self.optimizers]
        return {
            "state": self.state,
            "schedule": asdict(self.schedule),
            "optimizers": optimizers,
            "random": torch.get_rng_state(),
        }

    def restore(self, saved):
        for optimizer, values in zip(self.optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        self.state.update(saved["state"])
        torch.set_rng_state(saved["random"])

    def save(self, path=None):
        path = path or self.path
        torch.save(self.values(), path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def positions(self):
        """How many embeddings were trained on so far."""
        raise NotImplementedError

    def clipped(self):
        """The parameters whose gradients are cut together."""
        return self.network.parameters()

    def backward(self, number):
        """Leaves the gradients of step `number`, counts what was read, returns figures for the log."""
        raise NotImplementedError

    def step(self):
        number, factor = self.state["step"], self.schedule.factor(self.state["step"])
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = self.schedule.rates[group["name"]] * factor
        figures = self.backward(number)
        torch.nn.utils.clip_grad_norm_(self.clipped(), self.longest_gradient)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad()
        self.state["step"] = number + 1
        return figures


class NetworkRun(Run):
    """A training of one network, saved whole with its `shape`, on the batches of `seed`."""

    def __init__(self, path, schedule, network, optimizers, seed):
        super().__init__(path, schedule, network, optimizers)
        self.seed = seed

    def values(self):
        return {
            **super().values(),
            "model": self.network.state_dict(),
            "shape": asdict(self.network.shape),
            "seed": self.seed,
        }

    def restore(self, saved):
        super().restore(saved)
        self.network.load_state_dict(saved["model"])


def report(log, values):
    """Writes one row of JSON to the log."""
    print(json.dumps(values), file=log, flush=True)


def train(run, log):
    """Runs all steps that are left, from the checkpoint where there is one.

    Writes a row into the log every LOG_STEPS and a checkpoint every SAVE_SECONDS.
    """
    # Otherwise threads add to an embedding's gradient in the order in which they come.
    torch.use_deterministic_algorithms(True)
    if run.path.exists():
        run.restore(torch.load(run.path, map_location="cpu", weights_only=False))
    means, saved_at, since, before = {}, time.time(), time.time(), run.positions()
    earlier, began = run.state["seconds"], time.time()
    while run.state["step"] < run.schedule.steps:
        means |= {name: 0.95 * means.get(name, value) + 0.05 * value for name, value in run.step().items()}
        now = time.time()
        run.state["seconds"] = earlier + now - began
        if run.state["step"] % LOG_STEPS == 0:
            counts = {key: run.state[key] for key in run.state if key != "past"}
            figures = {name: round(mean, 4) for name, mean in means.items()}
            speed = round((run.positions() - before) / (now - since))
            report(log, {**counts, **figures, "positions_per_second": speed})
            since, before = now, run.positions()
        if run.state["step"] in run.schedule.kept:
            run.save(kept_path(run.path, run.state["step"]))
        if now - saved_at > SAVE_SECONDS:
            run.save()
            saved_at = now
    run.save()
    report(log, {"finished": True, **run.state})
