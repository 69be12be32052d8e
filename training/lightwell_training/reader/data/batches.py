"""Batches of questions with a passage that has the answer or, for a share of them, one that has not."""

import sys

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from lightwell_training.reader.data.nearest import NONE
from lightwell_training.trunk.vocabulary import CLS_ID, PAD_ID, SEP_ID

NEGATIVE = 0.35
KINDS = {"swapped": 0.55, "removed": 0.13, "nearest": 0.2, "article": 0.08, "random": 0.04}  # of the negatives
CROPPED = 0.3  # of the passages: cut to a few sentences
LONGEST_QUESTION, LONGEST = 48, 320  # tokens: of a question, and of question, passage and three special tokens
STEP = 8  # a batch is padded to a multiple of it
POOL = 40  # batches that are sorted by length together
WORKERS = 4  # processes that make batches


class Questions:
    """The tokenised questions of one part; texts are arrays of ids, spans are pairs of tokens of the passage."""

    def __init__(self, path):
        stored = np.load(path)
        self.values, self.offsets = {}, {}
        for name in stored.files:
            kind = self.offsets if name.endswith(".offsets") else self.values
            kind[name.removesuffix(".offsets")] = stored[name]
        self.members = {}
        for place, title in enumerate(self.values["title_of"]):
            self.members.setdefault(int(title), []).append(place)
        self.asked, self.told = (len(self.offsets[name]) - 1 for name in ("questions", "told.questions"))

    def __len__(self):
        return self.asked + self.told

    def row(self, name, index):
        """One row of a list."""
        start, stop = self.offsets[name][index : index + 2]
        return self.values[name][start:stop]

    def spans(self, index):
        """The answers of a question, [answers, 2]."""
        return self.row("spans", index).reshape(-1, 2)

    def swapped(self, index, random):
        """A changed form of the question, or None."""
        forms = [self.row("swapped", at) for at in self.swap_places(index)]
        forms = [form for form in forms if len(form)]
        return forms[random.integers(len(forms))] if forms else None

    def swap_places(self, index):
        """Where the changed forms of a question are."""
        count = (len(self.offsets["swapped"]) - 1) // self.asked
        return range(index * count, (index + 1) * count)

    def around(self, index, random):
        """A few sentences that hold all answers, and the spans in them."""
        own = self.values["passage_of"][index]
        passage, sentence, spans = self.row("passages", own), self.row("sentences", own), self.spans(index)
        low = sentence[spans.min()] - random.integers(3)
        high = sentence[spans.max()] + random.integers(3)
        kept = np.flatnonzero((sentence >= low) & (sentence <= high))
        return passage[kept], spans - kept[0]

    def without_answer(self, index):
        """The passage without the sentences that hold an answer."""
        own = self.values["passage_of"][index]
        sentence = self.row("sentences", own)
        holding = np.concatenate([sentence[first : last + 1] for first, last in self.spans(index)])
        return self.row("passages", own)[~np.isin(sentence, holding)]

    def negative(self, index, random):
        """A question and a passage that does not answer it."""
        own, near = self.values["passage_of"][index], self.values["nearest"][index]
        question, passage = self.row("questions", index), self.row("passages", own)
        kind = random.choice(list(KINDS), p=list(KINDS.values()))
        if kind == "swapped" and (form := self.swapped(index, random)) is not None:
            return form, passage
        if kind == "removed" and len(rest := self.without_answer(index)) > 20:
            return question, rest
        if kind == "nearest" and near != NONE:
            return question, self.row("passages", near)
        members = self.members[int(self.values["title_of"][own])]
        others = members if kind != "random" and len(members) > 1 else range(len(self.offsets["passages"]) - 1)
        other = others[random.integers(len(others))]
        return question, self.row("passages", other if other != own else (own + 37) % len(others))

    def example(self, index, random, negative, cropped=CROPPED, longest=LONGEST):
        """Ids, length of the question's part and spans of one sequence; spans of [(0, 0)] mean no answer.

        `cropped` is the share of passages that are cut to a few sentences, `longest` as for `framed`.
        """
        if index >= self.asked:
            texts = (self.row(f"told.{name}", index - self.asked) for name in ("questions", "passages", "spans"))
            question, passage, spans = texts
            return framed(question, passage, spans.reshape(-1, 2), random, longest)
        question, spans = self.row("questions", index), self.spans(index)
        if negative and len(spans):
            return framed(*self.negative(index, random), np.empty((0, 2), int), random, longest)
        if len(spans) and random.random() < cropped:
            return framed(question, *self.around(index, random), random, longest)
        return framed(question, self.row("passages", self.values["passage_of"][index]), spans, random, longest)


def framed(question, passage, spans, random, longest=LONGEST):
    """Ids of question and passage with special tokens, the length of the first part, and spans by position.

    A passage that makes more than `longest` tokens becomes a window that has one of the answers.
    """
    question = question[:LONGEST_QUESTION]
    start, room = 0, longest - len(question) - 3
    if len(passage) > room:
        first, last = spans[random.integers(len(spans))] if len(spans) else (len(passage), 0)
        low, high = max(0, min(last + 1 - room, first)), min(first, len(passage) - room)
        start = int(random.integers(min(low, high), max(low, high) + 1))
    passage, first = passage[start : start + room], len(question) + 2
    inside = [(a - start + first, b - start + first) for a, b in spans if a >= start and b - start < len(passage)]
    return np.concatenate([[CLS_ID], question, [SEP_ID], passage, [SEP_ID]]), first, inside or [(0, 0)]


def pack(examples, step=STEP):
    """Tensors of a batch: ids, mask and types, int64 [batch, tokens], and the targets of start and end.

    The targets are float32 [2, batch, tokens], 1.0 at each right place; place 0 is no answer.
    """
    length = -(-max(len(ids) for ids, _, _ in examples) // step) * step
    ids, types = (torch.full((len(examples), length), fill) for fill in (PAD_ID, 0))
    mask, targets = torch.zeros_like(ids), torch.zeros(2, len(examples), length)
    for row, (tokens, first, spans) in enumerate(examples):
        ids[row, : len(tokens)] = torch.from_numpy(tokens)
        mask[row, : len(tokens)] = 1
        types[row, first : len(tokens)] = 1
        for start, end in spans:
            targets[0, row, start] = targets[1, row, end] = 1.0
    return ids, mask, types, targets


def batches(questions, size, seed, first=0):
    """Endless batches of similar lengths, from number `first` on.

    Pass follows pass over the questions, each in a random order of its own.
    """
    pools = len(questions) // (size * POOL)
    for number in range(first // POOL, sys.maxsize):
        order = np.random.default_rng([seed, number // pools]).permutation(len(questions))
        random, begin = np.random.default_rng([seed, number // pools, number % pools]), number % pools * size * POOL
        drawn = [
            questions.example(index, random, random.random() < NEGATIVE) for index in order[begin : begin + size * POOL]
        ]
        drawn.sort(key=lambda example: len(example[0]))
        for at in random.permutation(POOL)[max(0, first - number * POOL) :]:
            yield pack(drawn[at * size : (at + 1) * size])


class Stream(IterableDataset):
    """Batch number `first` and those after it; each of WORKERS processes makes every WORKERS-th, with its own seed."""

    def __init__(self, questions, size, seed, first):
        self.questions, self.size, self.seed, self.first = questions, size, seed, first

    def __iter__(self):
        number = self.first + get_worker_info().id
        return batches(self.questions, self.size, self.seed * 1000 + number % WORKERS, number // WORKERS)


def loaded(questions, size, seed, first=0):
    """Endless batches that other processes make, from number `first` on; always the same ones in the same order."""
    stream = Stream(questions, size, seed, first)
    own = torch.Generator()  # otherwise a loader draws from torch's, and dropout after a restart differs
    return iter(DataLoader(stream, batch_size=None, num_workers=WORKERS, prefetch_factor=16, generator=own))
