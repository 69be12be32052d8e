"""Rows of tokens out of the streams of corpus.py and further.py, drawn as a schedule's mix says."""

import numpy as np
import torch

DOMAINS = ("synthetic", "distant", "dialogues", "reading", "stories", "news", "books")
FURTHER = ("novels", "reference", "pages", "spread", "rivals", "skills")  # streams of further.py and skills.py
FROM_A_DOCUMENT = (
    "synthetic",
    "distant",
    "dialogues",
    "reading",
    "spread",
    "rivals",
    "skills",
)  # rows of these begin with a document, so that no answer lacks its context


class Stream:
    """Rows of one stream in a fixed shuffled order, again from the front when all are used."""

    def __init__(self, folder, name, length, seed):
        stream = np.load(folder / f"{name}.train.npz")
        self.ids, self.marked, self.length = stream["ids"], stream["marked"], length
        last = len(self.ids) - length - 1
        if name in FROM_A_DOCUMENT:
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


def tokens_drawn(folder, name, used, seed):
    """The ids of a stream that trainings with these `used` rows have read, int64, as often as they were read."""
    parts = []
    for length, counts in used.items():
        count = counts.get(name, 0)
        if count:
            stream = Stream(folder, name, length, seed)
            parts += [stream.row(index)[0][:-1] for index in range(count)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def names_drawn(seed, step, phase):
    """The stream of each row of a step."""
    return np.random.default_rng([seed, 7, step]).choice(list(phase.mix), size=phase.rows, p=list(phase.mix.values()))


def rows_used(schedule, seed, used):
    """The rows that are used after a training with this schedule, by length and stream; `used` were before it."""
    after = {length: dict(counts) for length, counts in used.items()}
    for step in range(schedule.steps):
        phase = schedule.phase(step)
        counts = after.setdefault(phase.length, {})
        for name in map(str, names_drawn(seed, step, phase)):
            counts[name] = counts.get(name, 0) + 1
    return after


class Mixture:
    """Batches drawn over the streams.

    `used` counts rows by length and stream. It is all the state there is, and passes from one training to the next.
    """

    def __init__(self, folder, seed, used):
        self.folder, self.seed, self.used = folder, seed, {length: dict(counts) for length, counts in used.items()}
        self.streams: dict[tuple[str, int], Stream] = {}

    def row(self, name, length):
        """The next row of a stream: tokens and answer marks, `length` + 1 of each."""
        if (name, length) not in self.streams:
            self.streams[name, length] = Stream(self.folder, name, length, self.seed)
        counts = self.used.setdefault(length, {})
        index = counts.get(name, 0)
        counts[name] = index + 1
        return self.streams[name, length].row(index)

    def batch(self, step, phase, answer_weight, first_weight=None):
        """Input ids, target ids and target weights of a phase, each [phase.rows, phase.length].

        A token of an answer weighs `answer_weight`, its first one `first_weight` where that is given, another 1.
        """
        picked = [self.row(name, phase.length) for name in names_drawn(self.seed, step, phase)]
        ids = torch.from_numpy(np.stack([row for row, _ in picked]))
        marks = torch.from_numpy(np.stack([marks for _, marks in picked]))
        weights = 1.0 + (answer_weight - 1.0) * marks[:, 1:].float()
        if first_weight is not None:
            weights[marks[:, 1:] & ~marks[:, :-1]] = first_weight
        return ids[:, :-1], ids[:, 1:], weights
