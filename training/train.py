"""Trains the decoder. The schedule follows the wall clock, so it ends on time whatever else the machine does; a restart continues.

Muon trains the matrices and AdamW the embedding and the norms, in bfloat16. The first part of the budget runs on short rows, the rest on long ones.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from model import Decoder, Shape

DOMAINS = ("synthetic", "distant", "dialogues", "reading", "stories", "news", "books")
WHOLE = ("synthetic", "distant", "dialogues", "reading")  # rows of these begin with a document, so that no answer lacks its context
SHORT = {"rows": 8, "length": 512, "mix": (0.50, 0.12, 0.12, 0.13, 0.03, 0.04, 0.06)}
LONG = {"rows": 4, "length": 1024, "mix": (0.40, 0.20, 0.12, 0.14, 0.03, 0.04, 0.07)}
LONG_FROM = 0.72  # share of the budget after which rows are long
ANSWER_WEIGHT = 3.0
SHARPNESS_WEIGHT = 0.005  # without it scores reach 35, and an attention control's ln(0.1) = -2.3 changes nothing
MATRIX_RATE, OTHER_RATE = 0.016, 2.5e-3


class Rows:
    """Rows of one domain in a fixed shuffled order, again from the front when all are used."""

    def __init__(self, path, length, whole, seed):
        stream = np.load(path)
        self.ids, self.marked, self.length = stream["ids"], stream["marked"], length
        last = len(self.ids) - length - 1
        if whole:
            self.starts, position = [], 0
            for start in stream["starts"]:
                if start >= position and start <= last:
                    self.starts.append(start)
                    position = start + length
        else:
            self.starts = list(range(0, last, length))
        np.random.default_rng(seed).shuffle(self.starts)

    def row(self, index):
        """Tokens and answer marks of row `index`, `length` + 1 of each."""
        start = self.starts[index % len(self.starts)]
        stop = start + self.length + 1
        return self.ids[start:stop].astype(np.int64), self.marked[start:stop]


def domain_rows(folder, domain, length, seed):
    return Rows(folder / f"{domain}.train.npz", length, domain in WHOLE, seed)


def tokens_drawn(folder, domain, used, seed):
    """The ids that a training with these `used` rows has seen of a domain, one stream."""
    parts = []
    for length, counts in used.items():
        rows = domain_rows(folder, domain, length, seed)
        parts += [rows.row(index)[0][:-1] for index in range(counts[domain])]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


class Mixture:
    """Batches drawn over the domains; `used` counts the rows drawn by their length and domain, and is all the state there is."""

    def __init__(self, folder, seed):
        self.folder, self.seed, self.length = folder, seed, 0
        self.used = {phase["length"]: dict.fromkeys(DOMAINS, 0) for phase in (SHORT, LONG)}

    def batch(self, step, rows, length, mix):
        """Input ids, target ids and target weights, each [rows, length]."""
        if length != self.length:
            self.length, self.domains = length, {name: domain_rows(self.folder, name, length, self.seed) for name in DOMAINS}
        picked = []
        for domain in np.random.default_rng([self.seed, step]).choice(DOMAINS, size=rows, p=mix):
            picked.append(self.domains[domain].row(self.used[length][domain]))
            self.used[length][domain] += 1
        ids = torch.from_numpy(np.stack([row for row, _ in picked]))
        weights = 1.0 + (ANSWER_WEIGHT - 1.0) * torch.from_numpy(np.stack([marks for _, marks in picked])[:, 1:]).float()
        return ids[:, :-1], ids[:, 1:], weights


def rate(progress):
    """Factor on the learning rates at a share of the budget: short warm-up, plateau, then linearly to 0."""
    return min(1.0, progress / 0.01 + 0.02, (1.0 - progress) / 0.6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="folder written by corpus.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints and the log")
    parser.add_argument("--minutes", type=float, required=True, help="wall-clock budget, restarts included")
    parser.add_argument("--until", type=float, help="end of the budget as Unix time; set by the first start, kept in the checkpoint")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)

    shape = Shape()
    model = Decoder(shape)
    optimizers = [torch.optim.Muon(model.matrices(), lr=MATRIX_RATE, momentum=0.95, weight_decay=0.01),
                  torch.optim.AdamW(model.others(), lr=OTHER_RATE, betas=(0.9, 0.95), weight_decay=0.0)]
    base_rates = [MATRIX_RATE, OTHER_RATE]
    mixture = Mixture(arguments.corpus, arguments.seed)
    began = time.time()
    state = {"step": 0, "tokens": 0, "began": began, "ends": arguments.until or began + arguments.minutes * 60}
    checkpoint = arguments.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(saved["model"])
        for optimizer, values in zip(optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        state.update(saved["state"])
        mixture.used = saved["used"]
        if arguments.until:
            state["ends"] = arguments.until

    def save():
        values = {"model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers], "state": state, "used": mixture.used,
                  "shape": shape.__dict__, "seed": arguments.seed}
        torch.save(values, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)

    def loss_of(ids, targets, weights):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, sharpness = model.logits_and_sharpness(ids)
        losses = F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="none")
        return (losses * weights.flatten()).sum() / weights.sum() + SHARPNESS_WEIGHT * sharpness, losses.detach().mean(), sharpness.detach()

    compiled = torch.compile(loss_of, dynamic=False)
    log, saved_at, mean, since = open(arguments.out / "log.jsonl", "a"), time.time(), None, (time.time(), state["tokens"])
    while True:
        progress = (time.time() - state["began"]) / (state["ends"] - state["began"])
        if progress >= 1.0:
            break
        for optimizer, base in zip(optimizers, base_rates):
            for group in optimizer.param_groups:
                group["lr"] = base * rate(progress)
        phase = LONG if progress > LONG_FROM else SHORT
        loss, plain, sharpness = compiled(*mixture.batch(state["step"], **phase))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        state["step"] += 1
        state["tokens"] += phase["rows"] * phase["length"]
        mean = plain.item() if mean is None else 0.95 * mean + 0.05 * plain.item()
        if state["step"] % 20 == 0:
            now = time.time()
            row = {"step": state["step"], "tokens": state["tokens"], "progress": round(progress, 4), "loss": round(mean, 4), "sharpness": round(sharpness.item(), 1), "minutes": round((now - state["began"]) / 60, 1),
                   "tokens_per_second": round((state["tokens"] - since[1]) / (now - since[0]))}
            since = (now, state["tokens"])
            print(json.dumps(row), file=log, flush=True)
        if time.time() - saved_at > 120:
            save()
            saved_at = time.time()
    save()
    print(json.dumps({"finished": True, **state, "used": mixture.used}), file=log, flush=True)


if __name__ == "__main__":
    main()
