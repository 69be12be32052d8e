"""Trains decoder and encoder together, on text and on rows with a picture in every step; a restart continues.

It starts from the decoder of train-text and the encoder of train-tiles. The checkpoint holds the decoder in the form of
train-text, so that decoder/evaluate.py reads it too.
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from lightwell_training.decoder.network import load_model
from lightwell_training.decoder.text_run import SHARPNESS_WEIGHT, TextRun
from lightwell_training.loop.run import add_training_options, prepare, train
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.text.rows import Mixture
from lightwell_training.text.tokenizer import END_OF_TEXT
from lightwell_training.vision.image_rows import LENGTH, image_batch
from lightwell_training.vision.network import PatchEncoder, Readout, VisionLanguage, VisionShape

SCHEDULE = Path(__file__).with_name("joint.json")

IMAGE_WEIGHT, TILE_WEIGHT = 1.0, 0.3  # tiles go on saying what they show, which keeps an object's words at its place


def image_loss(network, readout, pixels, ids, targets, weights, first, labels):
    """Loss to lower; the mean over answers' tokens; the share of them that is guessed right."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        features = network.encoder(pixels)
        logits, sharpness = network.logits_and_sharpness(network.embeddings(ids, features, first))
    losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
    answers, flat = (weights >= 1.0).flatten(), weights.flatten()
    right = ((logits.detach().argmax(-1) == targets).flatten() & answers).sum() / answers.sum()
    loss = (
        IMAGE_WEIGHT * (losses * flat).sum() / flat.sum()
        + TILE_WEIGHT * readout.loss(features, labels)
        + SHARPNESS_WEIGHT * sharpness
    )
    return loss, (losses.detach() * answers).sum() / answers.sum(), right


class VisionRun(TextRun):
    """A training of network and readout on the mixture's text and on scenes of `seed`."""

    def __init__(self, path, schedule, network, readout, mixture, tokenizer, seed):
        super().__init__(path, schedule, network.decoder, mixture, network, readout.parameters())
        self.readout, self.tokenizer, self.seed, self.end = readout, tokenizer, seed, tokenizer.token_to_id(END_OF_TEXT)
        self.state["images"] = 0
        self.image_loss = torch.compile(lambda *batch: image_loss(network, readout, *batch), dynamic=False)

    def values(self):
        encoder = self.network.encoder
        return {
            **super().values(),
            "encoder": encoder.state_dict(),
            "vision_shape": encoder.shape.__dict__,
            "readout": self.readout.state_dict(),
            "scene_seed": self.seed,
        }

    def restore(self, saved):
        super().restore(saved)
        self.network.encoder.load_state_dict(saved["encoder"])
        self.readout.load_state_dict(saved["readout"])

    def positions(self):
        return super().positions() + self.state["images"] * LENGTH

    def backward(self, number):
        figures, count = super().backward(number), self.schedule.image_rows
        loss, image, right = self.image_loss(
            *image_batch(self.tokenizer, self.end, (self.seed << 33) + number * count, count)
        )
        loss.backward()
        self.state["images"] += count
        return {**figures, "image": image.item(), "right": right.item()}


def begin(arguments):
    """The training at its first step."""
    decoder, base = load_model(arguments.base)
    tiles = torch.load(arguments.tiles, weights_only=False)
    encoder = PatchEncoder(VisionShape(**tiles["vision_shape"]))
    encoder.load_state_dict(tiles["encoder"])
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    readout = Readout(decoder.embed_tokens.weight.detach().clone(), tokenizer, decoder.shape.hidden_size)
    readout.load_state_dict(tiles["readout"])
    mixture = Mixture(arguments.corpus, base["seed"], base["used"])
    run = VisionRun(
        arguments.out / "checkpoint.pt",
        read_schedule(arguments.schedule),
        VisionLanguage(decoder.train(), encoder),
        readout,
        mixture,
        tokenizer,
        arguments.seed,
    )
    before = {key: base.get(key, 0) for key in ("step", "tokens", "images", "seconds")}
    run.state.update(tokens=before["tokens"], images=before["images"], past=[*base.get("past", []), before])
    return run


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder that the steps corpus and further wrote")
    parser.add_argument("--base", type=Path, required=True, help="checkpoint of the step train-text")
    parser.add_argument("--tiles", type=Path, required=True, help="checkpoint of the step train-tiles")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(begin(arguments), log)
