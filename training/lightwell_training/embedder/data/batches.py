"""Draws batches: pairs of texts that belong together, sentences with labels, pairs with scores."""

from dataclasses import dataclass

import numpy as np
import torch

PREFIX = {"symmetric": 1, "query": 2, "document": 3}
RETRIEVAL = ("query", "document")
ALIKE = ("symmetric", "symmetric")
LABELS, PER_LABEL = 128, 4


@dataclass(frozen=True)
class Task:
    """A source of batches: how often it is drawn, its size, and which representations it trains.

    `size` counts pairs or texts, `longest` is the number of tokens to which a text is cut.
    """

    often: float
    size: int
    longest: int
    sides: tuple = RETRIEVAL


TASKS = {
    "squad": Task(0.20, 128, 160),
    "neighbours": Task(0.04, 128, 128),
    "pairs.medquad": Task(0.13, 128, 128),
    "pairs.openstax-exercises": Task(0.12, 128, 128),
    "pairs.openstax-definitions": Task(0.04, 256, 40),
    "pairs.oewn": Task(0.05, 256, 24),
    "pairs.oewn-example": Task(0.03, 256, 32, ALIKE),
    "pairs.wikisplit": Task(0.02, 192, 64, ALIKE),
    "intents": Task(0.20, LABELS * PER_LABEL, 24, ALIKE),
    "sts": Task(0.13, 256, 40, ALIKE),
}


class Store:
    """Token ids of all texts, the sets of numbers of texts, and hard negatives of some sets."""

    def __init__(self, folder):
        stored = np.load(folder / "texts.npz")
        self.ids, self.offsets = stored["ids"], stored["offsets"]
        self.sets, self.negatives = (dict(np.load(folder / f"{name}.npz")) for name in ("sets", "negatives"))

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


def distinct(rows, among, random, size):
    """`size` of the places `among` of rows, such that no text comes twice."""
    among = random.permutation(among)[: 4 * size]
    for column in (1, 0):
        among = among[np.unique(rows[among, column], return_index=True)[1]]
    return random.permutation(among)[:size]


def draw_pairs(name, rows, random, size):
    """Places of pairs; SQuAD's are of few articles, so that the other paragraphs are hard to tell apart."""
    among = np.arange(len(rows))
    if name == "squad":
        titles = random.permutation(np.unique(rows[:, 2]))[: size // 8]
        among = np.flatnonzero(np.isin(rows[:, 2], titles))
    return distinct(rows, among, random, size)


def draw_negatives(store, name, picked, random):
    """Texts that match the words of one of the pairs and belong to none of them, one per pair or fewer."""
    candidates = store.negatives[name][picked]
    chosen = candidates[np.arange(len(picked)), random.integers(candidates.shape[1], size=len(picked))]
    return np.setdiff1d(chosen, store.sets[name][picked, 1])


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


def draw_sides(store, name, random, task):
    """Texts of both sides of pairs, those of hard negatives third where there are any, and scores or None."""
    rows, target = store.sets[name], None
    if name == "sts":
        picked = random.permutation(len(rows))[: task.size]
        target = torch.from_numpy(store.sets["sts.scores"][picked]).float()
    else:
        picked = draw_pairs(name, rows, random, task.size)
    sides = [(rows[picked, column], side) for column, side in enumerate(task.sides)]
    if name in store.negatives:
        sides.append((draw_negatives(store, name, picked, random), task.sides[1]))
    return sides, target


def task_of(random, without=()):
    """The name of the task of a step, none of the sets `without`."""
    shares = {name: task.often for name, task in TASKS.items() if name not in without}
    often = np.array(list(shares.values()))
    return random.choice(list(shares), p=often / often.sum())


def draw(store, seed, step, dropped, without=()):
    """The batch of a training's step: (task, [(ids, mask) per side], target).

    The target has labels or scores, or is None. Nothing is drawn from the sets `without`.
    """
    random = np.random.default_rng([seed, step])
    name = task_of(random, without)
    task = TASKS[name]
    if name == "intents":
        rows = draw_intents(store.sets[name], random)
        sides, target = [(rows[:, 0], "symmetric")], torch.from_numpy(rows[:, 1])
    else:
        sides, target = draw_sides(store, name, random, task)
    return name, [side_of(store, numbers, side, task, random, dropped) for numbers, side in sides], target
