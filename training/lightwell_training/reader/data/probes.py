"""Questions with texts that answer them or do not, for the check and the calibration.

The texts are whole passages, one to three sentences of them, and statements.
"""

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.reader.data.corpus import answer_tokens

NEAREST = 5  # passages of an article that are tried as the nearest
SHORTEST = 5  # tokens of a text that is cut out


class Probes:
    """Draws from the questions of one part; `tables` are those of the pieces."""

    def __init__(self, questions, tables, random):
        self.questions, self.random = questions, random
        self.fold, self.stem = tables["fold"], tables["stem"]
        self.weights = tables["weights"][tables["fold"]]
        self.stems = [set(self.stem[passage].tolist()) for passage in questions.passages]

    def nearest(self, index):
        """The passage of the same article that has most of the question's words but not the answer, or None.

        The question has no answer there, although nobody changed it.
        """
        q = self.questions
        own, (first, last) = q.passage_of[index], q.spans[index][0]
        told = self.fold[q.passages[own][first : last + 1]]
        asked = {int(self.stem[piece]): float(self.weights[piece]) for piece in q.questions[index]}
        others = [other for other in q.members[int(q.title_of[own])] if other != own]
        others.sort(key=lambda other: -sum(weight for stem, weight in asked.items() if stem in self.stems[other]))
        return next(
            (q.passages[other] for other in others[:NEAREST] if not contains(self.fold[q.passages[other]], told)), None
        )

    def cut(self, index, count):
        """`count` sentences around an answer with its spans, and as many without any answer.

        The second is None where the passage has no such sentences.
        """
        q = self.questions
        passage, spans = q.passages[q.passage_of[index]], q.spans[index]
        sentence = np.concatenate([[0], np.cumsum(q.ends[passage])[:-1]])
        first, last = spans[self.random.integers(len(spans))]
        low = max(0, sentence[first] - int(self.random.integers(count)))
        kept = np.flatnonzero((sentence >= low) & (sentence <= max(sentence[last], low + count - 1)))
        around = passage[kept], [(a - kept[0], b - kept[0]) for a, b in spans if a >= kept[0] and b <= kept[-1]]
        free = [
            at
            for at in range(sentence.max() + 2 - count)
            if all(sentence[b] < at or sentence[a] >= at + count for a, b in spans)
        ]
        apart = None
        if free:
            at = free[self.random.integers(len(free))]
            apart = passage[(sentence >= at) & (sentence < at + count)]
        return around, apart if apart is not None and len(apart) >= SHORTEST else None

    def whole(self, index):
        """(kind, question, passage, spans) of one question and its whole passage, and of the question changed."""
        q = self.questions
        passage, changed = q.passages[q.passage_of[index]], q.swapped[index]
        yield "answered", q.questions[index], passage, q.spans[index]
        if changed is not None:
            yield "exchanged", changed, passage, []

    def others(self, index):
        """The question with other passages that do not answer it.

        They are the rest without the answer's sentences, the nearest passage, and any of the article. Not every
        question has each.
        """
        q, random = self.questions, self.random
        question, own = q.questions[index], q.passage_of[index]
        rest = q.without_answer(q.passages[own], q.spans[index]) if random.random() < 1 / 6 else ()
        if len(rest) > 20:
            yield "removed", question, rest, []
        nearest = self.nearest(index) if random.random() < 1 / 3 else None
        if nearest is not None:
            yield "nearest", question, nearest, []
        other = random.choice(q.members[int(q.title_of[own])])
        if random.random() < 1 / 10 and other != own:
            yield "article", question, q.passages[other], []

    def short(self, index, count):
        """As `whole`, for `count` sentences; also as many sentences without the answer."""
        q = self.questions
        (passage, spans), apart = self.cut(index, count)
        yield "answered", q.questions[index], passage, spans
        if q.swapped[index] is not None:
            yield "exchanged", q.swapped[index], passage, []
        if apart is not None:
            yield "removed", q.questions[index], apart, []

    def drawn(self, index):
        """What is drawn for one question: always `whole`, sometimes the others."""
        yield from self.whole(index)
        yield from self.others(index)
        if self.random.random() < 0.4:
            yield from self.short(index, 1 if self.random.random() < 0.5 else 3)


def contains(passage, part):
    """Whether `part` stands in `passage`, both arrays of ids."""
    if len(part) > len(passage):
        return False
    return bool((np.lib.stride_tricks.sliding_window_view(passage, len(part)) == part).all(1).any())


def tokenised(rows, path):
    """Rows (kind, question, text, answer or None) as (kind, question, passage, spans) of the tokenizer at `path`."""
    tokenizer = Tokenizer.from_file(str(path))
    for kind, question, text, answer in rows:
        asked, told = (tokenizer.encode(part, add_special_tokens=False) for part in (question, text))
        spans = [] if answer is None else [answer_tokens(told.offsets, text, text.index(answer), len(answer))]
        yield kind, np.array(asked.ids), np.array(told.ids), spans
