"""Tokenizer, vectors and tokenised questions: everything that the training reads."""

import json
import lzma
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.reader.data.pieces import piece_tables, piece_texts
from lightwell_training.reader.data.swaps import Swapper, make_similarity
from lightwell_training.reader.data.tokenizer import train_tokenizer
from lightwell_training.reader.data.vectors import known_vectors, rarity

PROSE = {
    "wikipedia-paragraphs": 20_000_000,
    "textbooks": 40_000_000,
    "government": 8_000_000,
    "news-simplified": 3_000_000,
    "classic-books": 25_000_000,
}
READ = ("squad", "wikipedia", "textbooks", "government", "news", "books")
HELD_TITLES = 26  # of 442 articles: for choices and for calibration, never trained on


def read_questions(path):
    """The questions of a file of JSON lines, xz-compressed."""
    with lzma.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def read_prose(folder, limit):
    """The first `limit` characters of every corpus, in texts of some thousand characters."""
    for name, size in PROSE.items():
        with lzma.open(folder / f"{name}.txt.xz", "rt") as file:
            text = file.read(min(size, limit))
        yield from (text[start : start + 5000] for start in range(0, len(text), 5000))


def answer_tokens(offsets, text, start, length):
    """First and last token of the characters [start, start + length); a token's leading space is no part of it."""
    stop = start + length
    inside = [index for index, (a, b) in enumerate(offsets) if b > start and a < stop and text[a:b].strip()]
    return inside[0], inside[-1]


def all_starts(context, answer, occurrences):
    """Where the answer stands: its given place, or every place when the data says it is ambiguous."""
    if occurrences < 2:
        return [answer["start"]]
    starts, at = [], context.find(answer["text"])
    while at >= 0:
        starts.append(at)
        at = context.find(answer["text"], at + 1)
    return starts or [answer["start"]]


def tokenise(rows, tokenizer, similarity, seed):
    """Passages and questions as arrays of ids.

    Each question has its passage, its answer spans and a swapped form that has no answer.
    """
    contexts = list(dict.fromkeys((row["title"], row["context"]) for row in rows))
    places = {key: index for index, key in enumerate(contexts)}
    encoded = tokenizer.encode_batch([text for _, text in contexts], add_special_tokens=False)
    swapper = Swapper(contexts, seed, similarity)
    titles = list(dict.fromkeys(title for title, _ in contexts))
    data = {
        "passages": [np.array(item.ids, np.int32) for item in encoded],
        "questions": [],
        "swapped": [],
        "passage_of": [],
        "spans": [],
        "title_of": np.array([titles.index(title) for title, _ in contexts]),
    }
    kept = [row for row in rows if row["answers"][0]["text"].strip()]
    for row in kept:
        place, answer = places[row["title"], row["context"]], row["answers"][0]
        starts = all_starts(row["context"], answer, row["occurrences"])
        data["spans"].append(
            [answer_tokens(encoded[place].offsets, row["context"], start, len(answer["text"])) for start in starts]
        )
        data["passage_of"].append(place)
    asked = [row["question"].strip() for row in kept]
    swaps = [swapper.swap(row["question"].strip(), places[row["title"], row["context"]]) for row in kept]
    data["questions"] = [
        np.array(item.ids, np.int32) for item in tokenizer.encode_batch(asked, add_special_tokens=False)
    ]
    data["swapped"] = [
        np.array(item.ids, np.int32) if text else None
        for text, item in zip(swaps, tokenizer.encode_batch([text or "" for text in swaps], add_special_tokens=False))
    ]
    data["texts"] = asked
    return data


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--vectors", type=Path, required=True, help="file that corpora word-vectors wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    rows = read_questions(arguments.data / "qa" / "squad-v1.1-train.jsonl.xz")
    titles = sorted({row["title"] for row in rows})
    held = set(np.random.default_rng(arguments.seed).permutation(titles)[:HELD_TITLES])
    parts = {
        "train": [row for row in rows if row["title"] not in held],
        "held": [row for row in rows if row["title"] in held],
    }
    public = np.load(arguments.vectors)
    if not (out / "tokenizer.json").exists():
        texts = [row["question"] for row in parts["train"]] + list(
            dict.fromkeys(row["context"] for row in parts["train"])
        )
        texts += read_prose(arguments.data / "lm", 6_000_000)
        train_tokenizer(texts, public["words"].tolist(), out / "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    if not (out / "tables.npz").exists():
        tables = piece_tables(out / "tokenizer.json")
        weights = rarity(read_prose(arguments.data / "lm", 20_000_000), tokenizer, tables["fold"])
        vectors = known_vectors(piece_texts(out / "tokenizer.json"), tables["fold"], public)
        np.savez(out / "tables.npz", vectors=vectors, weights=weights, **tables)
    tables = np.load(out / "tables.npz")
    similarity = make_similarity(tokenizer, tables["fold"], tables["vectors"])
    for name, part in parts.items():
        np.save(
            out / f"{name}.npy",
            np.array(tokenise(part, tokenizer, similarity, arguments.seed), dtype=object),
            allow_pickle=True,
        )
