"""Batches of questions with a passage that has the answer or, for a share of them, one that has not."""

import sys

import numpy as np
import torch

from lightwell_training.reader.data.pieces import CLS_ID, PAD_ID, SEP_ID

NEGATIVE = 0.33
KINDS = {"swapped": 0.6, "removed": 0.2, "article": 0.12, "random": 0.08}  # of the negatives
LONGEST_QUESTION, LONGEST_PASSAGE = 30, 255  # tokens, without special ones
STEP = 16  # passages are padded to a multiple of it
POOL = 40  # batches that are sorted by length together


class Questions:
    """The tokenised questions of one part, with negatives drawn from a random generator."""

    def __init__(self, path, ends):
        self.__dict__.update(np.load(path, allow_pickle=True).item())
        self.ends = ends
        self.members = {}
        for index, title in enumerate(self.title_of):
            self.members.setdefault(int(title), []).append(index)

    def __len__(self):
        return len(self.questions)

    def without_answer(self, passage, spans):
        """The passage without the sentences that hold an answer."""
        sentence = np.concatenate([[0], np.cumsum(self.ends[passage])[:-1]])
        holding = {sentence[at] for span in spans for at in range(span[0], span[1] + 1)}
        return passage[~np.isin(sentence, list(holding))]

    def negative(self, index, random):
        """A question and a passage that does not answer it."""
        own = self.passage_of[index]
        question, passage = self.questions[index], self.passages[own]
        kind = random.choice(list(KINDS), p=list(KINDS.values()))
        if kind == "swapped" and self.swapped[index] is not None:
            return self.swapped[index], passage
        if kind == "removed":
            rest = self.without_answer(passage, self.spans[index])
            if len(rest) > 20:
                return question, rest
        others = self.members[int(self.title_of[own])] if kind != "random" else range(len(self.passages))
        other = others[random.integers(len(others))]
        return question, self.passages[other if other != own else (own + 37) % len(self.passages)]

    def framed(self, question, passage, spans, random):
        """Question and passage with special tokens, cut to the longest, and the spans by positions of the logits.

        Spans of [(0, 0)] mean no answer.
        """
        start = 0
        if len(passage) > LONGEST_PASSAGE:  # a window that has the answer
            first, last = spans[random.integers(len(spans))] if spans else (len(passage), 0)
            low, high = max(0, min(last + 1 - LONGEST_PASSAGE, first)), min(first, len(passage) - LONGEST_PASSAGE)
            start = int(random.integers(min(low, high), max(low, high) + 1))
        passage = passage[start : start + LONGEST_PASSAGE]
        inside = [(a - start + 1, b - start + 1) for a, b in spans if a >= start and b - start < len(passage)]
        return (
            np.concatenate([[CLS_ID], question[:LONGEST_QUESTION], [SEP_ID]]),
            np.concatenate([passage, [SEP_ID]]),
            inside or [(0, 0)],
        )

    def example(self, index, random, negative):
        """A question, its passage and spans, or one of its negatives, framed."""
        if negative:
            return self.framed(*self.negative(index, random), [], random)
        return self.framed(self.questions[index], self.passages[self.passage_of[index]], self.spans[index], random)


def pack(examples, length):
    """Tensors of a batch: question, passage, and the targets of start and end.

    `question` is int64 [batch, LONGEST_QUESTION + 2], `passage` int64 [batch, length]; the targets are float32 [2,
    batch, 1 + length], 1.0 at each right place; place 0 is no answer.
    """
    question = torch.full((len(examples), LONGEST_QUESTION + 2), PAD_ID)
    passage, targets = torch.full((len(examples), length), PAD_ID), torch.zeros(2, len(examples), 1 + length)
    for row, (asked, text, spans) in enumerate(examples):
        question[row, : len(asked)], passage[row, : len(text)] = torch.from_numpy(asked), torch.from_numpy(text)
        for start, end in spans:
            targets[0, row, start] = targets[1, row, end] = 1.0
    return question, passage, targets


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
        drawn.sort(key=lambda example: len(example[1]))
        for at in random.permutation(POOL)[max(0, first - number * POOL) :]:
            part = drawn[at * size : (at + 1) * size]
            yield pack(part, -(-len(part[-1][1]) // STEP) * STEP)
