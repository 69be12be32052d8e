"""Trains the reader. The schedule follows the wall clock, so it ends on time whatever else the machine does; a restart continues.

Muon trains the matrices and AdamW the vectors and the rest, in bfloat16.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import torch

from batches import Questions, batches
from measure import held_figures
from network import Reader, Shape

BATCH = 32
RATES = {"matrices": 0.012, "others": 2e-3, "tables": 1e-3}
DROPOUT = 0.1


def rate(progress):
    """Factor on the learning rates at a share of the budget: short warm-up, plateau, then linearly to 0."""
    return min(1.0, progress / 0.01 + 0.02, (1.0 - progress) / 0.7)


def make_optimizers(model):
    """Muon for the matrices of layers, AdamW for vectors and tables over classes and for what is no matrix."""
    tables = [model.vectors, model.weights, model.shapes]
    others = [p for p in model.parameters() if not any(p is table for table in tables)]
    matrices = [p for p in others if p.ndim == 2 and min(p.shape) > 2]
    rest = [p for p in others if not any(p is matrix for matrix in matrices)]
    muon = torch.optim.Muon(matrices, lr=RATES["matrices"], momentum=0.95, weight_decay=0.02)
    adam = torch.optim.AdamW([{"params": rest, "lr": RATES["others"]}, {"params": tables, "lr": RATES["tables"]}], betas=(0.9, 0.98), weight_decay=0.0)
    for group in muon.param_groups + adam.param_groups:
        group["base"] = group["lr"]
    return [muon, adam]


def loss_of(model, question, passage, targets):
    """Negative log likelihood of start and end; where several places are right, of their sum."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(question, passage)
    chances = [torch.logsumexp(rows.log_softmax(1) + (wanted - 1.0) * 1e4, 1) for rows, wanted in zip(logits, targets)]
    return -(chances[0] + chances[1]).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True, help="wall-clock budget, restarts included")
    parser.add_argument("--until", type=float, help="end of the budget as Unix time instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tables = dict(np.load(arguments.corpus / "tables.npz"))
    train = Questions(arguments.corpus / "train.npy", tables["ends"])
    shape = Shape()
    model = Reader(shape, tables, DROPOUT)
    optimizers = make_optimizers(model)
    now = time.time()
    state = {"step": 0, "epoch": 0, "in_epoch": 0, "began": now, "ends": arguments.until or now + arguments.minutes * 60}
    checkpoint = arguments.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(saved["model"])
        for optimizer, values in zip(optimizers, saved["optimizers"]):
            optimizer.load_state_dict(values)
        state = saved["state"] | ({"ends": arguments.until} if arguments.until else {})
    log = open(arguments.out / "log.jsonl", "a")

    def save():
        values = {"model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers], "state": state, "shape": shape.__dict__, "seed": arguments.seed}
        torch.save(values, checkpoint.with_suffix(".new"))
        os.replace(checkpoint.with_suffix(".new"), checkpoint)

    def step(batch, progress):
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * rate(progress)
        loss = loss_of(model, *batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        return loss.item()

    run(train, arguments, state, step, save, lambda values: print(json.dumps(values), file=log, flush=True))
    save()
    figures = held_figures(model, Questions(arguments.corpus / "held.npy", tables["ends"]))
    print(json.dumps({"finished": True, **state, **figures}), file=log, flush=True)


def run(train, arguments, state, step, save, report):
    """Steps until the budget has passed; a checkpoint every two minutes."""
    saved_at, mean = time.time(), None
    while True:
        for index, batch in enumerate(batches(train, BATCH, arguments.seed, state["epoch"])):
            if index < state["in_epoch"]:
                continue
            progress = (time.time() - state["began"]) / (state["ends"] - state["began"])
            if progress >= 1.0:
                return
            loss = step(batch, progress)
            mean = loss if mean is None else 0.98 * mean + 0.02 * loss
            state["step"] += 1
            state["in_epoch"] = index + 1
            if state["step"] % 50 == 0:
                report({"step": state["step"], "epoch": state["epoch"], "progress": round(progress, 4), "loss": round(mean, 4)})
            if time.time() - saved_at > 120:
                save()
                saved_at = time.time()
        state["epoch"], state["in_epoch"] = state["epoch"] + 1, 0


if __name__ == "__main__":
    main()
