"""Trains the encoder alone to say what each tile shows, in words of the decoder's embedding; a restart continues.

Without this phase the decoder has to learn from the few words of an answer that 144 unknown vectors mean something.
"""

from pathlib import Path
from random import Random

import numpy as np
import torch
from tokenizers import Tokenizer

from lightwell_training.decoder.network import load_model
from lightwell_training.decoder.text_run import optimizers_of
from lightwell_training.loop.run import Run, add_training_options, prepare, report, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.vision.network import TOKENS, PatchEncoder, Readout, VisionShape, to_pixels
from lightwell_training.vision.scenes.scenes import make_scene, render, tile_labels

SCHEDULE = Path(__file__).with_name("tiles.json")

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


class TileRun(Run):
    """A training of encoder and readout alone; the decoder only lends its embedding."""

    def __init__(self, path, schedule, decoder, tokenizer, seed):
        embedding = decoder.embed_tokens.weight.detach()
        shape = VisionShape(out=decoder.shape.hidden_size)
        self.encoder, self.readout, self.seed = PatchEncoder(shape), Readout(embedding, tokenizer, shape.out), seed
        self.encoder.as_loud_as(embedding)
        super().__init__(path, schedule, self.encoder, optimizers_of(self.encoder, self.readout.parameters()))
        self.state["images"] = 0
        self.loss = torch.compile(self.loss_of, dynamic=False)

    def loss_of(self, pixels, labels):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = self.encoder(pixels)
        return self.readout.loss(features, labels)

    def values(self):
        return {
            **super().values(),
            "encoder": self.encoder.state_dict(),
            "readout": self.readout.state_dict(),
            "vision_shape": self.encoder.shape.__dict__,
        }

    def restore(self, saved):
        super().restore(saved)
        self.encoder.load_state_dict(saved["encoder"])
        self.readout.load_state_dict(saved["readout"])

    def positions(self):
        return self.state["images"] * TOKENS

    def backward(self, number):
        pictures, labels = batch_of((self.seed << 32) + number * self.schedule.image_rows, self.schedule.image_rows)
        loss = self.loss(to_pixels(pictures), labels)
        loss.backward()
        self.state["images"] += self.schedule.image_rows
        return {"loss": loss.item()}


@torch.no_grad()
def measure(run, held_out, count=256):
    """Accuracies per group on pictures that are not trained on."""
    pictures, labels = batch_of(TESTS, count, held_out)
    features = torch.cat([run.encoder(part) for part in to_pixels(pictures).split(64)])
    return dict(
        zip(
            ("shape", "colour", "size", "cell", "background"),
            (round(share, 3) for share in run.readout.accuracies(features, labels)),
        )
    )


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--base", type=Path, required=True, help="checkpoint of the step train-text")
    parser.add_argument("--tokenizer", type=Path, required=True)
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    (decoder, _), tokenizer = load_model(arguments.base), Tokenizer.from_file(str(arguments.tokenizer))
    run = TileRun(
        arguments.out / "checkpoint.pt", read_schedule(arguments.schedule), decoder, tokenizer, arguments.seed
    )
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        report(log, {**run.state, "seen": measure(run, False), "held_out": measure(run, True)})
