"""Where each corpus comes from, under which licence, and which bytes it must have.

The corpora are no part of the repository. A folder holds them, given by `--data` or the variable LIGHTWELL_DATA; each
step checks the files that it reads before it reads them, since another file would give other weights.
"""

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

VARIABLE = "LIGHTWELL_DATA"


class Corpus(NamedTuple):
    """One file below the data folder: xz-compressed text or JSON lines, UTF-8.

    `sha256` is that of the compressed file.
    """

    path: str
    what: str
    source: str
    licence: str
    sha256: str


CORPORA = {
    "dialogues": Corpus(
        "lm/dialogues.txt.xz",
        "task dialogues",
        "Schema-Guided Dialogue (Rastogi et al. 2020)",
        "CC BY-SA 4.0",
        "dba5e0c9f219e979d12fbd4810c71c212abbfe4c7d0ef65a779d6220e01b384d",
    ),
    "stories": Corpus(
        "lm/stories.txt.xz",
        "children's stories in plain English",
        "African Storybook and Pratham Books (StoryWeaver)",
        "CC BY",
        "5c27c56712f6f8afd3c44e220543cd2e9b2248491c25147b1da4dfe88052e793",
    ),
    "news": Corpus(
        "lm/news-simplified.txt.xz",
        "news at three reading levels",
        "OneStopEnglish (Vajjala and Lučić 2018)",
        "CC BY-SA 4.0",
        "dabaadcdc4d98cc0849da9ca086c54c3b8a32240d32d848ab4b39e17dcfe0cbd",
    ),
    "books": Corpus(
        "lm/classic-books.txt.xz",
        "188 public-domain books",
        "novels and tales whose copyright has ended",
        "public domain (US)",
        "fdb1b7ea01450e20bd04480b3e3afb8f1985830fd38df8c5bc28ab69aefc11c2",
    ),
    "wikipedia": Corpus(
        "lm/wikipedia-paragraphs.txt.xz",
        "Wikipedia paragraphs",
        "SQuAD v1.1 train (Rajpurkar et al. 2016)",
        "CC BY-SA 4.0",
        "47774d3669ec85566d2bab7e3ed5f30c4acb19a443f989d7a7d84ca258c069a5",
    ),
    "textbooks": Corpus(
        "lm/textbooks.txt.xz",
        "22 textbooks",
        "OpenStax (Rice University, openstax.org)",
        "CC BY 4.0",
        "705b35e7977450c8e905391a3a6fda7ade029827d58450fe57320636a8f13edb",
    ),
    "government": Corpus(
        "lm/government.txt.xz",
        "pages and guides of the government",
        "digital.gov and 18F",
        "public domain (US), CC0",
        "65d88e8010767efdc7512d8a77583e2fc9728c58db19812fc828a73b6a993778",
    ),
    "squad": Corpus(
        "qa/squad-v1.1-train.jsonl.xz",
        "questions with a passage and answers",
        "SQuAD v1.1 train (Rajpurkar et al. 2016)",
        "CC BY-SA 4.0",
        "7088a249b7da01f980da5ce25e939fc02c2d4697ab15b82ad3fbc889d4bc1b27",
    ),
    "pairs": Corpus(
        "pairs/pairs.jsonl.xz",
        "pairs of texts that belong together",
        "Open English WordNet, OpenStax, MedQuAD, WikiSplit",
        "CC BY 4.0 (WikiSplit: CC BY-SA 4.0)",
        "64164d17905369e9adf13d13451252d5fa238c6655796ad21a72644072ea1af4",
    ),
    "intents": Corpus(
        "pairs/intents-train.jsonl.xz",
        "sentences to an assistant with a label",
        "CLINC150 and HWU64, train",
        "CC BY 3.0, CC BY 4.0",
        "84e25a6c96cd535747b5226222f3bcc4dd628abafe98b5ac597be7f869328fc6",
    ),
    "sts": Corpus(
        "pairs/sts-train.jsonl.xz",
        "pairs of sentences with a score from 0 to 5",
        "STS Benchmark train",
        "CC BY-SA 4.0",
        "f19431aff626eca438e34fac717ee6bd358b6af7f6b1a672a0ab00a2afec4565",
    ),
    "sts-dev": Corpus(
        "eval/sts-dev.jsonl.xz",
        "pairs of sentences with a score, for measuring",
        "STS Benchmark dev",
        "CC BY-SA 4.0",
        "e09156a719efce3722d5dff55f65a7a310ce149e33e0e1907df7a493010ebaef",
    ),
    "clinc-test": Corpus(
        "eval/clinc150-test.jsonl.xz",
        "sentences with a label, for measuring",
        "CLINC150 test",
        "CC BY 3.0",
        "8553cb5c207c14d4bc17010d209058ad260c971997775a8a7f0ea6a1aaa3ce53",
    ),
    "squad-dev": Corpus(
        "eval/squad-v1.1-dev-a.jsonl.xz",
        "questions, for measuring",
        "SQuAD v1.1 dev, half of it",
        "CC BY-SA 4.0",
        "c74fe44acc017b6791ce65e740b9eb0a1ea6fabbde48766a527cb6e271294b3c",
    ),
    "squad2-dev": Corpus(
        "eval/squad-v2.0-dev-a.jsonl.xz",
        "questions, some without an answer, for measuring",
        "SQuAD v2.0 dev, half of it",
        "CC BY-SA 4.0",
        "09c974bc7c8b60fb7d13ce15043c070a31c9617be66af0680eae8dd74fa112fb",
    ),
}


class WrongCorpusError(Exception):
    """A corpus is missing or has other bytes than the committed weights were trained on."""


def checksum(path):
    """SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(data, names):
    """Raises WrongCorpusError unless every corpus of `names` is below the folder `data` with the bytes it must have."""
    for corpus in (CORPORA[name] for name in names):
        path = data / corpus.path
        if not path.is_file():
            raise WrongCorpusError(f"{path}: expected {corpus.what} from {corpus.source}, got no file")
        got = checksum(path)
        if got != corpus.sha256:
            raise WrongCorpusError(f"{path}: expected SHA-256 {corpus.sha256}, got {got}; source: {corpus.source}")


def add_data_option(parser):
    """Adds --data, which falls back to the environment variable LIGHTWELL_DATA."""
    default = os.environ.get(VARIABLE)
    parser.add_argument(
        "--data",
        type=Path,
        default=default and Path(default),
        required=not default,
        help=f"folder of the corpora, lm/, qa/, pairs/ and eval/ (default: the variable {VARIABLE})",
    )
