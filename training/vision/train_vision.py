"""Second phase: decoder and encoder together, on rows of text and rows with a picture in every step.

Begins with the decoder of train.py and the encoder of train_tiles.py. The schedule follows the wall clock as in train.py; a restart continues.
The checkpoint holds the decoder as train.py's does, so that evaluate.py and export_onnx.py read it too.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from evaluate import load_model
from image_rows import LENGTH, image_batch
from text_rows import LENGTH as TEXT_LENGTH, TextRows
from tokenizer import END_OF_TEXT
from train import SHARPNESS_WEIGHT, rate
from vision_model import PatchEncoder, Readout, VisionLanguage, VisionShape, grown, matrices, others

TEXT_ROWS, IMAGE_ROWS = 6, 4
IMAGE_WEIGHT, TILE_WEIGHT = 1.0, 0.3  # tiles go on saying what they show, which keeps an object's words at its place
MATRIX_RATE, OTHER_RATE = 0.010, 1.5e-3  # below train.py's: the decoder must not lose what it has


def begin(arguments):
    """The network, its readout and the state of a first start."""
    decoder, base = load_model(arguments.base)
    tiles = torch.load(arguments.tiles, weights_only=False)
    encoder = PatchEncoder(VisionShape(**tiles["vision_shape"]))
    encoder.load_state_dict(tiles["encoder"])
    tokenizer = Tokenizer.from_file(str(arguments.corpus / "tokenizer.json"))
    readout = Readout(decoder.embed_tokens.weight.detach().clone(), tokenizer, decoder.shape.hidden_size)
    readout.load_state_dict(tiles["readout"])
    decoder = grown(decoder, max(arguments.layers, decoder.shape.num_layers))
    began = time.time()
    state = {"step": 0, "tokens": base["tokens"], "images": 0, "began": began, "ends": began + arguments.minutes * 60}
    return VisionLanguage(decoder.train(), encoder), readout, TextRows(arguments.corpus, base["seed"], base["used"]), state, tokenizer


class Run:
    """A training: network, optimisers, rows and state, saved and restored as one."""

    def __init__(self, arguments):
        self.path, self.seed = arguments.out / "checkpoint.pt", arguments.seed
        self.network, self.readout, self.texts, self.state, self.tokenizer = begin(arguments)
        self.end = self.tokenizer.token_to_id(END_OF_TEXT)
        self.optimizers = [torch.optim.Muon(matrices(self.network), lr=MATRIX_RATE, momentum=0.95, weight_decay=0.01),
                           torch.optim.AdamW([*others(self.network), *self.readout.parameters()], lr=OTHER_RATE, betas=(0.9, 0.95), weight_decay=0.0)]
        if self.path.exists():
            self.restore(torch.load(self.path, weights_only=False))
        if arguments.until:
            self.state["ends"] = arguments.until

    def restore(self, saved):
        self.network.decoder.load_state_dict(saved["model"])
        self.network.encoder.load_state_dict(saved["encoder"])
        self.readout.load_state_dict(saved["readout"])
        for optimizer, values in zip(self.optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        self.state.update(saved["state"])
        self.texts.used = saved["used"]

    def save(self):
        network = self.network
        values = {"model": network.decoder.state_dict(), "shape": network.decoder.shape.__dict__, "encoder": network.encoder.state_dict(),
                  "vision_shape": network.encoder.shape.__dict__, "readout": self.readout.state_dict(), "state": self.state, "used": self.texts.used,
                  "seed": self.texts.seed, "scene_seed": self.seed, "optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}
        torch.save(values, self.path.with_suffix(".new"))
        self.path.with_suffix(".new").replace(self.path)

    def progress(self):
        return (time.time() - self.state["began"]) / (self.state["ends"] - self.state["began"])

    def text_loss(self, ids, targets, weights):
        """Loss to lower, and the plain mean over tokens."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, sharpness = self.network.decoder.logits_and_sharpness(ids)
        losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
        return (losses * weights.flatten()).sum() / weights.sum() + SHARPNESS_WEIGHT * sharpness, losses.detach().mean()

    def image_loss(self, pixels, ids, targets, weights, first, labels):
        """Loss to lower; the mean over answers' tokens; the share of them that is guessed right."""
        network = self.network
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = network.encoder(pixels)
            logits, sharpness = network.logits_and_sharpness(network.embeddings(ids, features, first))
        losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
        answers, flat = (weights >= 1.0).flatten(), weights.flatten()
        right = ((logits.detach().argmax(-1) == targets).flatten() & answers).sum() / answers.sum()
        loss = IMAGE_WEIGHT * (losses * flat).sum() / flat.sum() + TILE_WEIGHT * self.readout.loss(features, labels) + SHARPNESS_WEIGHT * sharpness
        return loss, (losses.detach() * answers).sum() / answers.sum(), right

    def step(self, text_loss, image_loss):
        """One step over a batch of each kind; returns what is logged."""
        for optimizer, base in zip(self.optimizers, (MATRIX_RATE, OTHER_RATE)):
            for group in optimizer.param_groups:
                group["lr"] = base * rate(self.progress())
        number = self.state["step"]
        loss, text = text_loss(*self.texts.batch(number, TEXT_ROWS))
        loss.backward()
        loss, image, right = image_loss(*image_batch(self.tokenizer, self.end, (self.seed << 33) + number * IMAGE_ROWS, IMAGE_ROWS))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad()
        self.state.update(step=number + 1, tokens=self.state["tokens"] + TEXT_ROWS * TEXT_LENGTH, images=self.state["images"] + IMAGE_ROWS)
        return text.item(), image.item(), right.item()


def train(run, log):
    """Steps until the budget is spent; a row in the log every 20 steps, a checkpoint every two minutes."""
    losses = [torch.compile(loss, dynamic=False) for loss in (run.text_loss, run.image_loss)]
    means, saved_at, since, per_step = None, time.time(), time.time(), TEXT_ROWS * TEXT_LENGTH + IMAGE_ROWS * LENGTH
    while run.progress() < 1.0:
        values = run.step(*losses)
        means = values if means is None else [0.95 * mean + 0.05 * value for mean, value in zip(means, values)]
        if run.state["step"] % 20 == 0:
            now = time.time()
            row = {"step": run.state["step"], "tokens": run.state["tokens"], "images": run.state["images"], "progress": round(run.progress(), 4),
                   **dict(zip(("text", "image", "right"), (round(mean, 4) for mean in means))), "positions_per_second": round(20 * per_step / (now - since))}
            since = now
            print(json.dumps(row), file=log, flush=True)
        if time.time() - saved_at > 120:
            run.save()
            saved_at = time.time()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="folder written by corpus.py and prose.py")
    parser.add_argument("--base", type=Path, required=True, help="checkpoint of train.py")
    parser.add_argument("--tiles", type=Path, required=True, help="checkpoint of train_tiles.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--minutes", type=float, required=True, help="wall-clock budget, restarts included")
    parser.add_argument("--until", type=float, help="end of the budget as Unix time; set by the first start, kept in the checkpoint")
    parser.add_argument("--layers", type=int, default=5, help="of the decoder; those beyond the base's begin without effect")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    run = Run(arguments)
    with open(arguments.out / "log.jsonl", "a") as log:
        train(run, log)
        run.save()
        print(json.dumps({"finished": True, **run.state, "used": run.texts.used}), file=log, flush=True)


if __name__ == "__main__":
    main()
