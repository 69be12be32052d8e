"""Trains the decoder of a finished model on texts that teach skills, among those of before; a restart continues.

The encoder stays as it is, and a few rows with a picture in every step keep the decoder reading them.
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
from lightwell_training.vision.export.hub import load_encoder
from lightwell_training.vision.image_rows import LENGTH, image_batch
from lightwell_training.vision.network import VisionLanguage

SCHEDULE = Path(__file__).with_name("skills.json")
SCENES = 1 << 34  # scenes of seeds from here on; those of the joint training lie beneath


def picture_loss(network, pixels, ids, targets, weights, first):
    """Loss to lower; the mean over answers' tokens."""
    with torch.no_grad():
        features = network.encoder(pixels)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, sharpness = network.logits_and_sharpness(network.embeddings(ids, features, first))
    losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
    flat, answers = weights.flatten(), (weights >= 1.0).flatten()
    loss = (losses * flat).sum() / flat.sum() + SHARPNESS_WEIGHT * sharpness
    return loss, (losses.detach() * answers).sum() / answers.sum()


class SkillRun(TextRun):
    """A training of a network's decoder on the mixture's text and on scenes."""

    def __init__(self, path, schedule, network, mixture, tokenizer, seed):
        super().__init__(path, schedule, network.decoder, mixture, network.decoder)
        self.whole, self.tokenizer, self.end = network, tokenizer, tokenizer.token_to_id(END_OF_TEXT)
        self.first = SCENES + (seed << 30)
        self.state["images"] = 0
        self.picture_loss = torch.compile(lambda *batch: picture_loss(network, *batch), dynamic=False)

    def values(self):
        encoder = self.whole.encoder
        return {**super().values(), "encoder": encoder.state_dict(), "vision_shape": encoder.shape.__dict__}

    def positions(self):
        return super().positions() + self.state["images"] * LENGTH

    def backward(self, number):
        figures, count = super().backward(number), self.schedule.image_rows
        *batch, _ = image_batch(self.tokenizer, self.end, self.first + number * count, count)
        loss, picture = self.picture_loss(*batch)
        loss.backward()
        self.state["images"] += count
        return {**figures, "image": picture.item()}


def begin(arguments):
    """The training at its first step, from weights as they are exported."""
    (decoder, base), encoder = load_model(arguments.base), load_encoder(arguments.base)
    for parameter in (*decoder.parameters(), *encoder.parameters()):
        parameter.data = parameter.data.half().float()
    run = SkillRun(
        arguments.out / "checkpoint.pt",
        read_schedule(arguments.schedule),
        VisionLanguage(decoder.train(), encoder),
        Mixture(arguments.corpus, base["seed"], base["used"]),
        Tokenizer.from_file(str(arguments.corpus / "tokenizer.json")),
        arguments.seed,
    )
    before = {key: base[key] for key in ("step", "tokens", "images", "seconds")}
    run.state.update(tokens=before["tokens"], images=before["images"], past=[*base["past"], before])
    return run


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder that the step skills wrote")
    parser.add_argument("--base", type=Path, required=True, help="what the step mean or earlier wrote")
    add_training_options(parser, SCHEDULE)


def main(arguments):
    """Runs this step."""
    prepare(arguments)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(begin(arguments), log)
