"""A stream of texts that teach skills, with the tokenizer as it is, and one that is held out.

Sentences of novels, textbooks and government pages stand between the facts, as in further.py.
"""

from random import Random

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import check
from lightwell_training.facts.generate import generate
from lightwell_training.facts.names import names_in
from lightwell_training.text import further
from lightwell_training.text.corpus import encode, read_prose
from lightwell_training.text.further import novels, reference_and_pages, write

READ = ("dialogues", "stories", "news", "books", "wikipedia", "textbooks", "government")

DOCUMENTS, HELD_DOCUMENTS = 128_000, 1_024


def add_options(parser):
    """Adds the options of this step."""
    further.add_options(parser)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    random, tokenizer = Random(arguments.seed), Tokenizer.from_file(str(arguments.out / "tokenizer.json"))
    reference, _ = reference_and_pages(arguments.data, random)
    prose = "\n".join([*list(novels(arguments.data))[::4], *reference])
    names = names_in("\n".join(read_prose(arguments.data).values()))
    write(tokenizer, arguments.out, "skills", generate(names, prose, DOCUMENTS, arguments.seed + 4, "skills"))
    held = encode(tokenizer, generate(names, prose, HELD_DOCUMENTS, arguments.seed + 5, "skills"))
    np.savez(arguments.out / "skills.held.npz", **held)
