"""Reads the corpora, writes per domain a training stream and a held-out stream of tokens.

Each domain becomes `<domain>.<part>.npz` with `ids` uint16 [tokens], `marked` bool [tokens] (an answer that stands in
the context) and `starts` int64 [documents]. Documents end with <|endoftext|> and are shuffled. What is held out depends
on the document alone.
"""

import hashlib
import json
import lzma
import re
import time
from pathlib import Path
from random import Random

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.facts.generate import generate
from lightwell_training.facts.kinds import END, START, answer
from lightwell_training.facts.names import names_in
from lightwell_training.text.tokenizer import END_OF_TEXT, train_tokenizer

READ = ("dialogues", "stories", "news", "books", "wikipedia", "squad")

DOMAINS = ("synthetic", "distant", "dialogues", "reading", "stories", "news", "books")
BOOK_BYTES = 14_000_000


def read_text(path):
    """The text of an xz-compressed file, without control characters."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\ufeff]", "", lzma.open(path, "rt", encoding="utf-8").read())


def read_prose(data):
    """Plain text of the corpora under `data`, by domain."""
    names = {
        "dialogues": "dialogues",
        "stories": "stories",
        "news": "news-simplified",
        "books": "classic-books",
        "wikipedia": "wikipedia-paragraphs",
    }
    return {name: read_text(data / "lm" / f"{file}.txt.xz") for name, file in names.items()}


def is_held_out(key, one_in):
    """Whether a document is held out; its key alone decides, for one document in `one_in`."""
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % one_in == 0


def split_documents(text):
    """The documents of a corpus, which lines <|doc|> separate."""
    return [part.strip() for part in re.split(r"\n*<\|doc\|>\n*", text) if part.strip()]


def story_documents(text):
    """Stories without page numbers and with lines joined to paragraphs."""
    for story in split_documents(text):
        paragraphs = [" ".join(block.split()) for block in story.split("\n\n")]
        yield story[:60], "\n\n".join(block for block in paragraphs if block and block.strip("# ")).replace("# ", "", 1)


def news_documents(text):
    """Articles with their keys.

    The reading levels of an article share names and numbers; these identify it, so that all levels are held out
    together.
    """
    seen = []
    for article in split_documents(text):
        names = set(re.findall(r"(?<=[a-z,] )[A-Z]\w+|\d{2,}", article))
        same = next(
            (key for other, key in seen if len(names & other) >= 0.5 * max(5, min(len(names), len(other)))), None
        )
        key = same or f"news {len(seen)}"
        seen.append((names, key))
        yield key, re.sub(r" *\n+", "\n", article).removeprefix("Intermediate\n")


def book_documents(text):
    """Chapter-sized pieces of the books with the shortest sentences, up to BOOK_BYTES.

    A book is held out as a whole.
    """

    def sentence(book):
        return len(book.split()) / max(1, len(re.findall(r"[.!?]", book)))

    size = 0
    for book in sorted(split_documents(text), key=sentence):
        if size > BOOK_BYTES:
            return
        size += len(book)
        title, _, body = book.partition("\n")
        paragraphs = [" ".join(block.split()) for block in body.split("\n\n")]
        for start in range(0, len(paragraphs), 60):
            yield title, "\n\n".join(paragraphs[start : start + 60])


def reading_documents(path, random):
    """SQuAD: a passage, then two to four of its questions with answers as they stand in the passage."""
    passages = {}
    for line in lzma.open(path, "rt", encoding="utf-8"):
        row = json.loads(line)
        passages.setdefault((row["title"], row["context"]), []).append(
            (row["question"].strip(), row["answers"][0]["text"])
        )
    for (title, context), pairs in passages.items():
        ask, reply, between = random.choice(
            [("Question", "Answer", "\n")] * 4 + [("Question", "Answer", " "), ("Q", "A", "\n")]
        )
        chosen = random.sample(pairs, min(len(pairs), random.randint(2, 4)))
        lines = [f"{ask}: {question}{between}{reply}: {answer(text)}" for question, text in chosen]
        yield title, context.strip() + "\n" + "\n".join(lines)


def all_documents(data, synthetic_count, seed):
    """Training and held-out documents by domain: {domain: ([train], [held out])}."""
    prose, random = read_prose(data), Random(seed)
    keyed = {
        "dialogues": ((text[:200], text) for text in prose["dialogues"].split("\n\n") if text.strip()),
        "reading": reading_documents(data / "qa" / "squad-v1.1-train.jsonl.xz", random),
        "stories": story_documents(prose["stories"]),
        "news": news_documents(prose["news"]),
        "books": book_documents(prose["books"]),
    }
    one_in = {"dialogues": 60, "reading": 40, "stories": 20, "news": 20, "books": 20}
    documents = {domain: ([], []) for domain in DOMAINS}
    for domain, pairs in keyed.items():
        for key, text in pairs:
            documents[domain][is_held_out(key, one_in[domain])].append(text)
    names = names_in("\n".join(prose.values()))
    for domain, count in (("synthetic", synthetic_count), ("distant", synthetic_count // 20)):
        for part, (part_seed, size) in enumerate(((seed, count), (seed + 1, 1024))):
            between = "\n".join(documents["stories"][part] + documents["news"][part])
            documents[domain][part].extend(
                generate(names, between, size, part_seed, "distant" if domain == "distant" else "document")
            )
    for train, _ in documents.values():
        random.shuffle(train)
    return documents


def clean_and_spans(text):
    """Text without marks, and the spans that the marks enclosed."""
    parts = re.split(f"[{START}{END}]", text)
    spans, length = [], 0
    for index, part in enumerate(parts):
        if index % 2:
            spans.append((length, length + len(part)))
        length += len(part)
    return "".join(parts), spans


def encode(tokenizer, documents):
    """The stream of a list of documents: ids, marked, starts."""
    end = tokenizer.token_to_id(END_OF_TEXT)
    ids, marked, starts, length = [], [], [], 0
    for first in range(0, len(documents), 4000):
        cleaned = [clean_and_spans(text) for text in documents[first : first + 4000]]
        for encoding, (_, spans) in zip(tokenizer.encode_batch([text for text, _ in cleaned]), cleaned):
            starts.append(length)
            ids.append(np.array([*encoding.ids, end], dtype=np.uint16))
            flags = np.zeros(len(ids[-1]), dtype=bool)
            if spans:
                offsets = np.array(encoding.offsets)
                for start, stop in spans:
                    flags[:-1] |= (offsets[:, 1] > start) & (offsets[:, 0] < stop)
            marked.append(flags)
            length += len(ids[-1])
    return {"ids": np.concatenate(ids), "marked": np.concatenate(marked), "starts": np.array(starts)}


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--synthetic", type=int, default=200_000, help="number of synthetic documents")
    parser.add_argument("--seed", type=int, default=1)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    arguments.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    documents = all_documents(arguments.data, arguments.synthetic, arguments.seed)
    print(f"documents read and written in {time.time() - began:.0f} s", flush=True)
    path = arguments.out / "tokenizer.json"
    if not path.exists():
        train_tokenizer({domain: train for domain, (train, _) in documents.items()}, path)
        print(f"tokenizer trained, {time.time() - began:.0f} s", flush=True)
    tokenizer = Tokenizer.from_file(str(path))
    for domain, parts in documents.items():
        for part, texts in zip(("train", "held"), parts):
            stream = encode(tokenizer, texts)
            np.savez(arguments.out / f"{domain}.{part}.npz", **stream)
            print(
                f"{domain}.{part}: {len(texts)} documents, {len(stream['ids'])} tokens, "
                f"{stream['marked'].mean():.3f} marked, {time.time() - began:.0f} s",
                flush=True,
            )
