"""Draws batches: pairs of texts that belong together, sentences with labels, pairs with scores."""

from dataclasses import dataclass

import numpy as np
import torch

PREFIX = {"symmetric": 1, "query": 2, "document": 3}
RETRIEVAL = ("query", "document")
ALIKE = ("symmetric", "symmetric")
LABELS, PER_LABEL = 64, 4


@dataclass(frozen=True)
class Task:
    """A source of batches: how often it is drawn, its size, and which representations it trains.

    `size` counts pairs, `longest` is the number of tokens to which a text is cut.
    """

    often: float
    size: int
    longest: int
    sides: tuple = RETRIEVAL


TASKS = {
    "squad": Task(0.26, 160, 192),
    "neighbours": Task(0.09, 192, 128),
    "pairs.medquad": Task(0.04, 128, 192),
    "pairs.openstax-exercises": Task(0.03, 192, 128),
    "pairs.openstax-definitions": Task(0.03, 384, 40),
    "pairs.oewn": Task(0.12, 512, 24),
    "pairs.oewn-example": Task(0.08, 512, 32, ALIKE),
    "pairs.wikisplit": Task(0.05, 192, 64, ALIKE),
    "intents": Task(0.10, LABELS * PER_LABEL, 24, ALIKE),
    "sts": Task(0.15, 256, 40, ALIKE),
}


class Store:
    """Token ids of all texts, and the sets of numbers of texts."""

    def __init__(self, folder):
        stored = np.load(folder / "texts.npz")
        self.ids, self.offsets = stored["ids"], stored["offsets"]
        self.sets = dict(np.load(folder / "sets.npz"))

    def tokens(self, numbers, representation, longest):
        """int64 ids and mask [texts, tokens] with the representation's prefix in front."""
        starts, stops = self.offsets[numbers], self.offsets[numbers + 1]
        lengths = np.minimum(stops - starts, longest)
        ids = np.zeros((len(numbers), lengths.max() + 1), np.int64)
        ids[:, 0] = PREFIX[representation]
        for row, (start, length) in enumerate(zip(starts, lengths)):
            ids[row, 1 : length + 1] = self.ids[start : start + length]
        mask = np.arange(ids.shape[1])[None] <= lengths[:, None]
        return torch.from_numpy(ids), torch.from_numpy(mask.astype(np.int64))


def distinct(rows, random, size):
    """`size` rows in which no text comes twice."""
    rows = rows[random.permutation(len(rows))[: 4 * size]]
    for column in (1, 0):
        rows = rows[np.unique(rows[:, column], return_index=True)[1]]
    return rows[random.permutation(len(rows))[:size]]


def draw_squad(rows, random, size):
    """Questions of few articles, so that the other paragraphs of the batch are hard to tell apart."""
    titles = random.permutation(np.unique(rows[:, 2]))[: size // 8]
    return distinct(rows[np.isin(rows[:, 2], titles)], random, size)


def draw_intents(rows, random):
    """PER_LABEL sentences of each of LABELS labels, [texts, 2]."""
    labels = random.permutation(np.unique(rows[:, 1]))[:LABELS]
    return np.concatenate([rows[random.choice(np.flatnonzero(rows[:, 1] == label), PER_LABEL)] for label in labels])


def without_some(mask, random, share):
    """Drops tokens behind the prefix at random, so that no single word decides."""
    kept = torch.from_numpy(random.random(mask.shape) >= share)
    kept[:, 0] = True
    return mask * kept


def side_of(store, numbers, representation, task, random, dropped):
    """Ids and mask of one side's texts, a share of the tokens dropped."""
    ids, mask = store.tokens(numbers, representation, task.longest)
    return ids, without_some(mask, random, dropped)


def draw(store, seed, step, dropped):
    """The batch of a training's step: (task, [(ids, mask) per side], labels or scores or None)."""
    random, shares = np.random.default_rng([seed, step]), np.array([task.often for task in TASKS.values()])
    name = random.choice(list(TASKS), p=shares / shares.sum())
    task, rows, target = TASKS[name], store.sets[name], None
    if name == "intents":
        rows = draw_intents(rows, random)
        return name, [side_of(store, rows[:, 0], "symmetric", task, random, dropped)], torch.from_numpy(rows[:, 1])
    if name == "sts":
        picked = random.permutation(len(rows))[: task.size]
        rows, target = rows[picked], torch.from_numpy(store.sets["sts.scores"][picked]).float()
    else:
        rows = draw_squad(rows, random, task.size) if name == "squad" else distinct(rows, random, task.size)
    return (
        name,
        [side_of(store, rows[:, column], side, task, random, dropped) for column, side in enumerate(task.sides)],
        target,
    )
