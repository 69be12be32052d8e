"""First phase: the encoder alone learns to say what each tile shows, in words of the decoder's embedding. A restart continues.

Without it the decoder has to find out by itself that 144 unknown vectors mean something, from the few words of an answer.
"""

import argparse
import json
import time
from pathlib import Path
from random import Random

import numpy as np
import torch
from tokenizers import Tokenizer

from evaluate import load_model
from scenes import make_scene, render, tile_labels
from train import rate
from vision_model import PatchEncoder, Readout, VisionShape, matrices, others, to_pixels

BATCH = 32
MATRIX_RATE, OTHER_RATE = 0.01, 3e-3
TESTS = 1 << 40  # scenes of seeds from here on are for measuring; trainings with --seed below 128 stay beneath


def batch_of(first, count, held_out=False):
    """Pictures uint8 [count, side, side, 3] and their labels int64 [count, 5, 144] of the seeds from `first` on."""
    pictures, labels = [], []
    for seed in range(first, first + count):
        random = Random(seed)
        scene = make_scene(random, held_out)
        labels.append(tile_labels(scene))
        pictures.append(render(random, scene))
    return np.stack(pictures), torch.from_numpy(np.stack(labels))


class Start:
    """What the phase begins with: the encoder, the readout, their optimisers, and a checkpoint's values where there is one."""

    def __init__(self, base, tokenizer, path):
        decoder, _ = load_model(base)
        embedding = decoder.embed_tokens.weight.detach()
        shape = VisionShape(out=decoder.shape.hidden_size)
        self.encoder, self.readout = PatchEncoder(shape), Readout(embedding, tokenizer, shape.out)
        self.encoder.as_loud_as(embedding)
        self.optimizers = [torch.optim.Muon(matrices(self.encoder), lr=MATRIX_RATE, momentum=0.95, weight_decay=0.01),
                           torch.optim.AdamW([*others(self.encoder), *self.readout.parameters()], lr=OTHER_RATE, betas=(0.9, 0.95), weight_decay=0.0)]
        self.path, self.state = path, {"step": 0, "seconds": 0.0}
        if path.exists():
            self.load(torch.load(path, weights_only=False))

    def load(self, saved):
        self.encoder.load_state_dict(saved["encoder"])
        self.readout.load_state_dict(saved["readout"])
        for optimizer, values in zip(self.optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        self.state = saved["state"]

    def save(self):
        values = {"encoder": self.encoder.state_dict(), "readout": self.readout.state_dict(), "vision_shape": self.encoder.shape.__dict__,
                  "optimizers": [optimizer.state_dict() for optimizer in self.optimizers], "state": self.state}
        torch.save(values, self.path.with_suffix(".new"))
        self.path.with_suffix(".new").replace(self.path)

    def set_rates(self, progress):
        for optimizer, base in zip(self.optimizers, (MATRIX_RATE, OTHER_RATE)):
            for group in optimizer.param_groups:
                group["lr"] = base * rate(progress)


@torch.no_grad()
def measure(start, held_out, count=256):
    """Accuracies per group on pictures that are not trained on."""
    pictures, labels = batch_of(TESTS, count, held_out)
    features = torch.cat([start.encoder(part) for part in to_pixels(pictures).split(64)])
    return dict(zip(("shape", "colour", "size", "cell", "background"), (round(share, 3) for share in start.readout.accuracies(features, labels))))


def train(start, seconds, log, seed):
    """Runs until `seconds` of work, those of earlier starts included, are spent."""
    def loss_of(pixels, labels):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = start.encoder(pixels)
        return start.readout.loss(features, labels)

    compiled, state = torch.compile(loss_of, dynamic=False), start.state
    pictures, labels = batch_of(0, BATCH)
    compiled(to_pixels(pictures), labels).backward()  # compiles, which is not counted
    start.encoder.zero_grad()
    start.readout.zero_grad()
    at, saved_at, mean = time.time(), time.time(), None
    while state["seconds"] < seconds:
        start.set_rates(state["seconds"] / seconds)
        pictures, labels = batch_of((seed << 32) + state["step"] * BATCH, BATCH)
        loss = compiled(to_pixels(pictures), labels)
        loss.backward()
        for optimizer in start.optimizers:
            optimizer.step()
            optimizer.zero_grad()
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        now = time.time()
        state["step"], state["seconds"], at = state["step"] + 1, state["seconds"] + now - at, now
        if state["step"] % 50 == 0:
            row = {"step": state["step"], "loss": round(mean, 4), "seconds": round(state["seconds"]), "images_per_second": round(state["step"] * BATCH / state["seconds"], 1)}
            print(json.dumps(row), file=log, flush=True)
        if now - saved_at > 120:
            print(json.dumps({"step": state["step"], "tiles": measure(start, False)}), file=log, flush=True)
            start.save()
            saved_at = at = time.time()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="checkpoint of the decoder, from train.py")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--minutes", type=float, required=True, help="working time, restarts included")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    start = Start(arguments.base, Tokenizer.from_file(str(arguments.tokenizer)), arguments.out / "tiles.pt")
    with open(arguments.out / "tiles.jsonl", "a") as log:
        train(start, arguments.minutes * 60, log, arguments.seed)
        start.save()
        print(json.dumps({"finished": True, **start.state, "seen": measure(start, False), "held_out": measure(start, True)}), file=log, flush=True)


if __name__ == "__main__":
    main()
