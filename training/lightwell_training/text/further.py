"""Further streams with the tokenizer as it is: novels, reference, pages, spread and rivals.

Novels are those beyond the books of corpus.py. Reference and pages come from textbooks and government pages. Spread has
facts far from their questions, rivals has facts of one kind, of which a question means one; sentences of all the former
stand between.

Books whose titles corpus.py holds out stay out here too, so that the held-out streams remain what they are.
"""

import re
from pathlib import Path
from random import Random

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.facts.generate import generate
from lightwell_training.facts.names import names_in
from lightwell_training.text.corpus import BOOK_BYTES, encode, is_held_out, read_prose, read_text, split_documents

READ = ("dialogues", "stories", "news", "books", "wikipedia", "textbooks", "government")

NOVEL_BYTES = 20_000_000
REFERENCE_BYTES, PAGES_BYTES = 6_000_000, 10_000_000  # of textbooks and of government pages each
SPREAD_DOCUMENTS, RIVALS_DOCUMENTS = 12_800, 96_000


def pieces(text, size=60):
    """Chapter-sized pieces of a book's paragraphs, lines joined."""
    paragraphs = [" ".join(block.split()) for block in text.split("\n\n")]
    return ["\n\n".join(paragraphs[start : start + size]) for start in range(0, len(paragraphs), size)]


def novels(data):
    """The books that follow those of corpus.py in its order, NOVEL_BYTES of them; no held-out title."""

    def sentence(book):
        return len(book.split()) / max(1, len(re.findall(r"[.!?]", book)))

    size = 0
    for book in sorted(split_documents(read_text(data / "lm" / "classic-books.txt.xz")), key=sentence):
        title, _, body = book.partition("\n")
        size += len(book)
        if size > BOOK_BYTES + NOVEL_BYTES:
            return
        if size - len(book) > BOOK_BYTES and not is_held_out(title, 20):
            yield from pieces(body)


def reference_and_pages(data, random):
    """Pieces of textbooks and of government pages, two lists.

    The first has REFERENCE_BYTES of each, the second up to PAGES_BYTES more of each.
    """
    lists = [], []
    for name in ("textbooks", "government"):
        parts = [
            part for document in split_documents(read_text(data / "lm" / f"{name}.txt.xz")) for part in pieces(document)
        ]
        random.shuffle(parts)
        size = 0
        for part in parts:
            if size <= REFERENCE_BYTES + PAGES_BYTES:
                lists[size > REFERENCE_BYTES].append(part)
            size += len(part)
    return lists


def facts(data, prose, seed):
    """Documents like the distant ones of corpus.py, and rivals: two lists.

    Between the facts stand sentences of much more prose, since a network soon knows the small corpora by heart.
    """
    names, text = names_in("\n".join(read_prose(data).values())), "\n".join(prose)
    return generate(names, text, SPREAD_DOCUMENTS, seed + 2, "distant"), generate(
        names, text, RIVALS_DOCUMENTS, seed + 3, "rivals"
    )


def write(tokenizer, folder, name, texts):
    """Writes a stream as `<name>.train.npz` into the folder."""
    stream = encode(tokenizer, texts)
    np.savez(folder / f"{name}.train.npz", **stream)
    print(f"{name}: {len(texts)} documents, {len(stream['ids'])} tokens", flush=True)


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder that the step corpus wrote, with its tokenizer.json"
    )
    parser.add_argument("--seed", type=int, default=1)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    random, tokenizer = Random(arguments.seed), Tokenizer.from_file(str(arguments.out / "tokenizer.json"))
    books = list(novels(arguments.data))
    reference, pages = reference_and_pages(arguments.data, random)
    for name, texts in (("novels", books), ("reference", reference), ("pages", pages)):
        random.shuffle(texts)
        write(tokenizer, arguments.out, name, texts)
    for name, texts in zip(
        ("spread", "rivals"), facts(arguments.data, [*books[::4], *reference, *pages], arguments.seed)
    ):
        write(tokenizer, arguments.out, name, texts)
