"""Trains the check on questions of the training articles and on statements.

The reader stays as it is: what it finds is computed once.
"""

import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from lightwell_training.corpora.sources import add_data_option
from lightwell_training.corpora.sources import check as check_corpora
from lightwell_training.reader.checkpoint import load_reader
from lightwell_training.reader.data.batches import LONGEST_QUESTION, Questions, pack
from lightwell_training.reader.data.probes import Probes, tokenised
from lightwell_training.reader.data.statements import found_names, statements
from lightwell_training.reader.network.check import WHOLE, WORD, Check, columns

READ = ("wikipedia",)

QUESTIONS, STATEMENTS = 6000, 3000
EPOCHS, BATCH, RATE, DECAY = 4, 256, 4e-3, 0.05
WEIGHTS = {"answered": 1.0, "exchanged": 1.0, "removed": 0.6, "nearest": 0.6, "article": 0.6, "statement": 0.5}


def draw(corpus, data, tables, seed):
    """Rows (kind, (question, passage, spans)) in random order."""
    random = np.random.default_rng(seed)
    questions = Questions(corpus / "train.npy", tables["ends"])
    probes = Probes(questions, tables, random)
    rows = [row for index in random.permutation(len(questions))[:QUESTIONS] for row in probes.drawn(index)]
    told = tokenised(statements(found_names(data), STATEMENTS, seed, held=False), corpus / "tokenizer.json")
    rows += [("statement", *rest) for _, *rest in told]
    return [(kind, questions.framed(*rest, random)) for kind, *rest in rows]


def gather(reader, rows):
    """What the reader finds in every row: asked, whole and mask as the check takes them, targets and weights."""
    size = LONGEST_QUESTION + 2
    asked, whole, mask = torch.zeros(len(rows), size, WORD), torch.zeros(len(rows), WHOLE), torch.zeros(len(rows), size)
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][1][1]))
    for begin in range(0, len(order), 32):
        part = order[begin : begin + 32]
        question, passage, _ = pack([rows[index][1] for index in part], len(rows[part[-1]][1][1]))
        with torch.no_grad():
            asked[part], whole[part] = columns(reader, question, passage, reader.find(question, passage))
        mask[part] = (question > 0).float()
    targets = torch.tensor([float(example[2][0] != (0, 0)) for _, example in rows])
    return asked, whole, mask, targets, torch.tensor([WEIGHTS[kind] for kind, _ in rows])


def fit(gathered, seed):
    """The check and its mean loss over the last pass."""
    torch.manual_seed(seed)
    check = Check()
    check.middle, check.scale = gathered[1].mean(0), 1.0 / (gathered[1].std(0) + 1e-3)
    optimizer = torch.optim.AdamW(check.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(gathered[1]) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / 50 + 0.02) * (1.0 - step / steps)
    )
    for _ in range(EPOCHS):
        losses = []
        for part in torch.randperm(len(gathered[1])).split(BATCH)[: steps // EPOCHS]:
            asked, whole, mask, targets, weights = (values[part] for values in gathered)
            loss = (
                F.binary_cross_entropy_with_logits(check(asked, whole, mask), targets, reduction="none") * weights
            ).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
    return check, sum(losses) / len(losses)


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)


def main(arguments):
    """Runs this step."""
    check_corpora(arguments.data, READ)
    torch.set_num_threads(1)
    began = time.time()
    reader, _ = load_reader(arguments.checkpoint, arguments.corpus)
    rows = draw(arguments.corpus, arguments.data, dict(np.load(arguments.corpus / "tables.npz")), arguments.seed)
    check, loss = fit(gather(reader, rows), arguments.seed)
    kinds = {kind: sum(row[0] == kind for row in rows) for kind in WEIGHTS}
    state = {"rows": len(rows), "kinds": kinds, "loss": round(loss, 4), "seconds": round(time.time() - began)}
    torch.save({"model": check.state_dict(), "state": state, "seed": arguments.seed}, arguments.out)
    print(json.dumps(state))
