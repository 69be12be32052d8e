"""Takes the decoder and encoder before the skills from the repository's history, in place of five hours of training.

Writes what the step mean would write: the weights as they were exported, and the state that the schedules of the
earlier trainings lead to. Their minutes are those that the card of that time tells.
"""

import json
import re
import tempfile
from pathlib import Path

import torch

from lightwell_training.corpora.history import fetch
from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.decoder.train import SCHEDULE as TEXT
from lightwell_training.graph.stored import stored_weights
from lightwell_training.loop.schedule import read_schedule
from lightwell_training.text.rows import rows_used
from lightwell_training.vision.network import PatchEncoder, VisionShape
from lightwell_training.vision.train_joint import SCHEDULE as JOINT
from lightwell_training.vision.train_tiles import SCHEDULE as TILES

COMMIT, FOLDER, SEED = "e38b1d56", "public/models/lightwell-base", 1
SHA256 = {
    "onnx/decoder_model_merged.onnx": "6df94c1e4ab71e9a9f271eb62ec3a7aa0f03b859c9f985e2e06bdc186224b9ec",
    "onnx/vision_encoder.onnx": "b614d182d8f07a6f4ba9ffa09503df1d44f501388b3be181e5f8f889f8321719",
}
SECONDS = {"text": 8580, "tiles": 360, "joint": 9480}


FEED_FORWARD = re.compile(r"(layers\.\d+\.)(gate|up|down)_proj")  # stands under mlp in the decoder's file


def load(module, stored, prefix):
    """The module with weights of a file, whose names begin with `prefix`; matrices are stored transposed."""
    values = {}
    for name, parameter in module.named_parameters():
        value = torch.from_numpy(stored[prefix + FEED_FORWARD.sub(r"\1mlp.\2_proj", name)])
        is_linear = value.ndim == 2 and "embed" not in name
        values[name] = value.T.contiguous() if is_linear else value.reshape(parameter.shape)
    module.load_state_dict(values)
    return module


def tokens_of(schedule):
    """How many tokens of text a training with this schedule reads."""
    phases = [schedule.phase(step) for step in range(schedule.steps)]
    return sum(phase.rows * phase.length for phase in phases)


def state_after():
    """The state after text and joint training, and the rows that both used."""
    text, joint = read_schedule(TEXT), read_schedule(JOINT)
    first = {"step": text.steps, "tokens": tokens_of(text), "images": 0, "seconds": SECONDS["text"]}
    state = {
        "step": joint.steps,
        "tokens": first["tokens"] + tokens_of(joint),
        "images": joint.steps * joint.image_rows,
        "seconds": SECONDS["joint"],
        "past": [first],
        "mean_of": list(joint.kept),
    }
    return state, rows_used(joint, SEED, rows_used(text, SEED, {}))


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True, help="the chain's folder; gets mean.pt and tiles/log.jsonl")


def main(arguments):
    """Runs this step."""
    tiles = read_schedule(TILES)
    with tempfile.TemporaryDirectory() as folder:
        onnx = fetch(COMMIT, FOLDER, SHA256, Path(folder)) / "onnx"
        decoder = load(Decoder(Shape()), stored_weights(onnx / "decoder_model_merged.onnx"), "model.")
        encoder = load(PatchEncoder(VisionShape()), stored_weights(onnx / "vision_encoder.onnx"), "encoder.")
    state, used = state_after()
    values = {
        "model": decoder.state_dict(),
        "shape": decoder.shape.__dict__,
        "encoder": encoder.state_dict(),
        "vision_shape": encoder.shape.__dict__,
        "state": state,
        "used": used,
        "seed": SEED,
    }
    torch.save(values, arguments.out / "mean.pt")
    (arguments.out / "tiles").mkdir(exist_ok=True)
    images = tiles.steps * tiles.image_rows
    log = {"finished": True, "step": tiles.steps, "images": images, "seconds": SECONDS["tiles"]}
    (arguments.out / "tiles" / "log.jsonl").write_text(json.dumps(log) + "\n")
