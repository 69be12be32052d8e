"""A training in steps: what it holds, saved and restored as one, and the loop that a restart continues.

Every step is fixed by the schedule and the seed, so that the same commands give the same weights again: bit for bit with
one thread, with more up to the order in which the embedding's gradient is summed.
"""

import json
import time
from dataclasses import asdict

import torch
import torch.nn.functional as F

from model import matrices, others

SHARPNESS_WEIGHT = 0.005  # without it scores reach 35, and an attention control's ln(0.1) = -2.3 changes nothing
SAVE_SECONDS, LOG_STEPS = 120, 20


def text_loss(decoder, ids, targets, weights):
    """Loss to lower, and the plain mean over tokens."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, sharpness = decoder.logits_and_sharpness(ids)
    losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
    return (losses * weights.flatten()).sum() / weights.sum() + SHARPNESS_WEIGHT * sharpness, losses.detach().mean()


def optimizers_of(schedule, network, further=()):
    """Muon for the matrices, AdamW for embeddings, norms and `further` parameters."""
    return [torch.optim.Muon(matrices(network), lr=schedule.matrix_rate, momentum=0.95, weight_decay=0.01),
            torch.optim.AdamW([*others(network), *further], lr=schedule.other_rate, betas=(0.9, 0.95), weight_decay=0.0)]


class Run:
    """A training of `network`, and of `further` parameters whose gradients are not clipped; says how its gradients come about in `backward`."""

    def __init__(self, path, schedule, network, further=()):
        self.path, self.schedule, self.network = path, schedule, network
        self.state = {"step": 0, "seconds": 0.0}
        self.optimizers = optimizers_of(schedule, network, further)

    def values(self):
        """What a checkpoint holds."""
        return {"state": self.state, "schedule": asdict(self.schedule), "optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}

    def restore(self, saved):
        for optimizer, values in zip(self.optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        self.state.update(saved["state"])

    def save(self):
        torch.save(self.values(), self.path.with_suffix(".new"))
        self.path.with_suffix(".new").replace(self.path)

    def positions(self):
        """How many embeddings were trained on so far."""
        raise NotImplementedError

    def backward(self, number):
        """Leaves the gradients of step `number`, counts what was read, returns figures for the log."""
        raise NotImplementedError

    def step(self):
        number, factor = self.state["step"], self.schedule.factor(self.state["step"])
        for optimizer, base in zip(self.optimizers, (self.schedule.matrix_rate, self.schedule.other_rate)):
            for group in optimizer.param_groups:
                group["lr"] = base * factor
        figures = self.backward(number)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad()
        self.state["step"] = number + 1
        return figures


class TextRun(Run):
    """A training of a decoder on a mixture of text; `network` is the decoder and what is trained with it."""

    def __init__(self, path, schedule, decoder, mixture, network, further=()):
        super().__init__(path, schedule, network, further)
        self.decoder, self.mixture = decoder, mixture
        self.state["tokens"] = 0
        self.text_loss = torch.compile(lambda *batch: text_loss(decoder, *batch), dynamic=False)

    def values(self):
        decoder, mixture = self.decoder, self.mixture
        return {**super().values(), "model": decoder.state_dict(), "shape": decoder.shape.__dict__, "used": mixture.used, "seed": mixture.seed}

    def restore(self, saved):
        super().restore(saved)
        self.decoder.load_state_dict(saved["model"])
        self.mixture.used = saved["used"]

    def positions(self):
        return self.state["tokens"]

    def backward(self, number):
        phase = self.schedule.phase(number)
        loss, text = self.text_loss(*self.mixture.batch(number, phase))
        loss.backward()
        self.state["tokens"] += phase.rows * phase.length
        return {"text": text.item()}


def train(run, log):
    """All steps that are left, after those of a checkpoint where there is one; a row in the log every LOG_STEPS, a checkpoint every SAVE_SECONDS."""
    if run.path.exists():
        run.restore(torch.load(run.path, weights_only=False))
    means, saved_at, since, before = {}, time.time(), time.time(), run.positions()
    earlier, began = run.state["seconds"], time.time()
    while run.state["step"] < run.schedule.steps:
        means = {name: 0.95 * means.get(name, value) + 0.05 * value for name, value in run.step().items()}
        now = time.time()
        run.state["seconds"] = earlier + now - began
        if run.state["step"] % LOG_STEPS == 0:
            counts, figures = {key: run.state[key] for key in run.state if key != "past"}, {name: round(mean, 4) for name, mean in means.items()}
            row = {**counts, **figures, "positions_per_second": round((run.positions() - before) / (now - since))}
            since, before = now, run.positions()
            print(json.dumps(row), file=log, flush=True)
        if now - saved_at > SAVE_SECONDS:
            run.save()
            saved_at = now
    run.save()
    print(json.dumps({"finished": True, **run.state}), file=log, flush=True)
