"""A training of the decoder on a mixture of text."""

import torch
import torch.nn.functional as F

from lightwell_training.decoder.network import matrices, others
from lightwell_training.loop.run import Run

SHARPNESS_WEIGHT = 0.005  # without it scores reach 35, and an attention control's ln(0.1) = -2.3 changes nothing


def text_loss(decoder, ids, targets, weights):
    """Loss to lower, and the plain mean over tokens."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, sharpness = decoder.logits_and_sharpness(ids)
    losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
    return (losses * weights.flatten()).sum() / weights.sum() + SHARPNESS_WEIGHT * sharpness, losses.detach().mean()


def optimizers_of(network, further=()):
    """Muon for the matrices, AdamW for embeddings, norms and `further` parameters."""
    return [
        torch.optim.Muon([{"params": matrices(network), "name": "matrices"}], momentum=0.95, weight_decay=0.01),
        torch.optim.AdamW(
            [{"params": [*others(network), *further], "name": "others"}], betas=(0.9, 0.95), weight_decay=0.0
        ),
    ]


class TextRun(Run):
    """A training of `decoder`.

    `network` is the decoder and what is trained with it, `further` are parameters whose gradients are not cut.
    """

    def __init__(self, path, schedule, decoder, mixture, network, further=()):
        super().__init__(path, schedule, network, optimizers_of(network, further))
        self.decoder, self.mixture = decoder, mixture
        self.state["tokens"] = 0
        self.text_loss = torch.compile(lambda *batch: text_loss(decoder, *batch), dynamic=False)

    def values(self):
        decoder, mixture = self.decoder, self.mixture
        return {
            **super().values(),
            "model": decoder.state_dict(),
            "shape": decoder.shape.__dict__,
            "used": mixture.used,
            "seed": mixture.seed,
        }

    def restore(self, saved):
        super().restore(saved)
        self.decoder.load_state_dict(saved["model"])
        self.mixture.used = saved["used"]

    def positions(self):
        return self.state["tokens"]

    def backward(self, number):
        schedule, phase = self.schedule, self.schedule.phase(number)
        batch = self.mixture.batch(number, phase, schedule.answer_weight, schedule.first_weight)
        loss, text = self.text_loss(*batch)
        loss.backward()
        self.state["tokens"] += phase.rows * phase.length
        return {"text": text.item()}
