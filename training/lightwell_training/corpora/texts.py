"""Reads the data folder: prose, and the pairs of texts that belong together."""

import hashlib
import json
import lzma
import re

PROSE = ("wikipedia-paragraphs", "textbooks", "government", "news-simplified", "stories", "classic-books", "dialogues")
HELD_OUT_ONE_IN = 20
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")


def read_lines(path):
    """The objects of a file of JSON lines, xz-compressed."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_held_out(key):
    """Whether a key (title, label or text) belongs to the fixed twentieth of the data that is held out.

    Choices are made on it, and it is never trained on.
    """
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % HELD_OUT_ONE_IN == 0


def read_prose(data, name):
    """Paragraphs of a corpus, in order."""
    text = lzma.open(data / "lm" / f"{name}.txt.xz", "rt", encoding="utf-8").read()
    text = re.sub(r"[\x00-\x08\x0b-\x1f\ufeff]", "", text).replace("<|doc|>", "")
    return [joined for block in text.split("\n\n") if (joined := " ".join(block.split()).lstrip("# "))]


def read_squad(path):
    """Questions with their paragraph and its title: [(question, paragraph, title)]."""
    return [(row["question"].strip(), row["context"], row["title"]) for row in read_lines(path)]


def read_pairs(data):
    """[(a, b, source)] of pairs.jsonl without the pairs that say nothing."""
    rows = read_lines(data / "pairs" / "pairs.jsonl.xz")
    return [
        (row["a"], row["b"], row["source"])
        for row in rows
        if row["a"].strip() and row["b"].strip() and row["a"] != row["b"]
    ]


def read_intents(data):
    """Sentences with their labels: [(sentence, label)]."""
    return [(row["text"], row["label"]) for row in read_lines(data / "pairs" / "intents-train.jsonl.xz")]


def read_sts(path):
    """Scored pairs: [(a, b, score from 0 to 5)]."""
    return [(row["a"], row["b"], row["score"]) for row in read_lines(path)]


def neighbours(paragraphs, random):
    """Self-made pairs: a sentence of a paragraph, and the rest of the paragraph."""
    for paragraph in paragraphs:
        sentences = SENTENCE.split(paragraph)
        if len(sentences) < 3 or not 200 < len(paragraph) < 4000:
            continue
        picked = random.randrange(len(sentences))
        sentence, rest = sentences[picked], " ".join(sentences[:picked] + sentences[picked + 1 :])
        if len(sentence) > 30:
            yield sentence, rest
