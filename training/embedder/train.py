"""Trains the embedder on pairs, labels and scores. The learning rate follows the clock, so it ends on time; a restart continues."""

import argparse
import dataclasses
import json
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from batches import Batches, Store
from losses import loss_of
from measure import order_agreement, recall
from model import Embedder, Shape
from start import initialise
from tokenizer import fold_pieces

RATE, WORD_RATE, SHARE_RATE = 1.5e-3, 3e-3, 1e-2
WARM_UP = 0.02  # share of the budget
DROPPED = 0.1
HELD_QUESTIONS = 1500
SAVE_SECONDS = 120
LONGEST_STEP = 8.0  # seconds; more than that was a pause of the machine and does not count


def make_model(data, **settings):
    row_of, term_of = fold_pieces(Tokenizer.from_file(str(data / "tokenizer.json")))
    shape = Shape(pieces=len(row_of), rows=max(row_of) + 1, terms=max(term_of) + 1, **settings)
    return Embedder(shape, row_of, term_of)


def embed(model, store, numbers, representation, longest=400):
    """float32 [texts, size], shortest texts first in the computing, in the given order in the result."""
    order = np.argsort(store.offsets[numbers + 1] - store.offsets[numbers])
    found = np.empty((len(numbers), model.shape.size), np.float32)
    with torch.no_grad():
        for start in range(0, len(order), 64):
            picked = order[start:start + 64]
            found[picked] = model(*store.tokens(numbers[picked], representation, longest))[0].numpy()
    return found


def measure_held(model, store):
    """Figures on the held-out part of the training data."""
    model.eval()
    sts, squad, intents = (store.sets[f"{name}.held"] for name in ("sts", "squad", "intents"))
    a, b = (embed(model, store, sts[:, column], "symmetric") for column in (0, 1))
    figures = {f"sts.{size}": order_agreement(a[:, :size], b[:, :size], store.sets["sts.held.scores"]) for size in (128, model.shape.dense, model.shape.size)}
    paragraphs, right = np.unique(squad[:, 1], return_inverse=True)
    picked = np.random.default_rng(0).permutation(len(squad))[:HELD_QUESTIONS]
    queries, documents = embed(model, store, squad[picked, 0], "query"), embed(model, store, paragraphs, "document")
    lexical = slice(model.shape.dense, None)
    for name, part in {"128": slice(128), "dense": slice(model.shape.dense), "lexical": lexical, "5120": slice(None)}.items():
        figures[f"squad.{name}"] = recall(queries[:, part], documents[:, part], right[picked], 10)
    figures["squad.5120@1"] = recall(queries, documents, right[picked], 1)
    vectors = embed(model, store, intents[:, 0], "symmetric")[:, :128]
    near = vectors @ vectors.T
    np.fill_diagonal(near, -9)
    figures["intents.nearest"] = float((intents[near.argmax(1), 1] == intents[:, 1]).mean())
    model.train()
    return {name: round(float(value), 4) for name, value in figures.items()}


def groups_of(model):
    """Optimiser groups: tables and the few mixing numbers faster than the rest, and without decay."""
    faster = {WORD_RATE: [model.words.weight, model.word_weight, model.term_weight], SHARE_RATE: [model.saturation, model.share]}
    known = {id(parameter) for parameters in faster.values() for parameter in parameters}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in known]
    groups = [{"params": parameters, "peak": peak, "weight_decay": 0.0} for peak, parameters in faster.items()]
    return [*groups, {"params": rest, "peak": RATE, "weight_decay": 0.01}]


def set_rates(optimizer, done):
    """Linear warm-up, then linear decay to nothing; `done` is the share of the budget that has passed."""
    for group in optimizer.param_groups:
        group["lr"] = group["peak"] * min(1.0, done / WARM_UP + 0.05, (1 - done) + 0.01)


def save(path, model, optimizer, step, used):
    state = {"shape": dataclasses.asdict(model.shape), "model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "seconds": used}
    torch.save(state, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def train_step(model, optimizer, batches):
    name, sides, target = batches.draw()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        embeddings = [model(ids, mask)[0].float() for ids, mask in sides]
    loss = loss_of(embeddings, target, model.shape)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    return name, loss.item()


def train(model, store, run, budget, seed):
    """Steps until `budget` seconds are used, over all restarts."""
    optimizer = torch.optim.AdamW(groups_of(model), betas=(0.9, 0.98), eps=1e-9)
    step, used, path = 0, 0.0, run / "checkpoint.pt"
    if path.exists():
        state = torch.load(path, weights_only=False)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, used = state["step"], state["seconds"]
    batches, saved, recent = Batches(store, seed + step, DROPPED), used, {}
    while used < budget:
        began = time.time()
        set_rates(optimizer, used / budget)
        name, loss = train_step(model, optimizer, batches)
        recent[name] = loss if name not in recent else 0.8 * recent[name] + 0.2 * loss
        step, used = step + 1, used + min(LONGEST_STEP, time.time() - began)
        if used - saved > SAVE_SECONDS:
            save(path, model, optimizer, step, used)
            print(json.dumps({"step": step, "seconds": round(used), **{task: round(value, 3) for task, value in sorted(recent.items())}}), flush=True)
            saved = used
    save(path, model, optimizer, step, used)
    print(json.dumps({"step": step, **measure_held(model, store)}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of prepare.py and vectors.py")
    parser.add_argument("--run", type=Path, required=True, help="where the checkpoint goes")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    arguments.run.mkdir(parents=True, exist_ok=True)
    model, store = make_model(arguments.data), Store(arguments.data)
    initialise(model, arguments.seed, **np.load(arguments.data / "vectors.npz"))
    print(json.dumps({"start": measure_held(model, store), "parameters": sum(item.numel() for item in model.parameters())}), flush=True)
    train(model, store, arguments.run, 60 * arguments.minutes, arguments.seed)


if __name__ == "__main__":
    main()
