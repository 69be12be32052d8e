"""Further streams of prose with the tokenizer as it is: novels beyond those of corpus.py, textbooks and pages of government.

Whole books whose titles corpus.py holds out stay out here too, so that the held-out streams remain what they are.
"""

import argparse
import re
from pathlib import Path
from random import Random

import numpy as np
from tokenizers import Tokenizer

from corpus import BOOK_BYTES, encode, is_held_out, read_text, split_documents

NOVEL_BYTES, REFERENCE_BYTES = 20_000_000, 12_000_000


def pieces(text, size=60):
    """Chapter-sized pieces of a book's paragraphs, lines joined."""
    paragraphs = [" ".join(block.split()) for block in text.split("\n\n")]
    return ["\n\n".join(paragraphs[start:start + size]) for start in range(0, len(paragraphs), size)]


def novels(data):
    """The books that follow those of corpus.py in its order, NOVEL_BYTES of them; no held-out title."""
    sentence = lambda book: len(book.split()) / max(1, len(re.findall(r"[.!?]", book)))
    size = 0
    for book in sorted(split_documents(read_text(data / "lm" / "classic-books.txt.xz")), key=sentence):
        title, _, body = book.partition("\n")
        size += len(book)
        if size > BOOK_BYTES + NOVEL_BYTES:
            return
        if size - len(book) > BOOK_BYTES and not is_held_out(title, 20):
            yield from pieces(body)


def reference(data, random):
    """Pieces of textbooks and of government pages, REFERENCE_BYTES together, half of each."""
    for name in ("textbooks", "government"):
        size = 0
        parts = [part for document in split_documents(read_text(data / "lm" / f"{name}.txt.xz")) for part in pieces(document)]
        random.shuffle(parts)
        for part in parts:
            if size > REFERENCE_BYTES // 2:
                break
            size += len(part)
            yield part


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with lm/")
    parser.add_argument("--out", type=Path, required=True, help="folder of corpus.py, with its tokenizer.json")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random, tokenizer = Random(arguments.seed), Tokenizer.from_file(str(arguments.out / "tokenizer.json"))
    for name, texts in (("novels", list(novels(arguments.data))), ("reference", list(reference(arguments.data, random)))):
        random.shuffle(texts)
        stream = encode(tokenizer, texts)
        np.savez(arguments.out / f"{name}.train.npz", **stream)
        print(f"{name}: {len(texts)} documents, {len(stream['ids'])} tokens", flush=True)


if __name__ == "__main__":
    main()
