"""Makes the tokenizer and turns all training data into token ids.

Writes OUT/tokenizer.json, OUT/texts.npz and OUT/sets.npz.

Sets hold indices of texts: `squad` [pairs, 3] (question, paragraph, title), `pairs.<source>` [pairs, 2], `neighbours`
[pairs, 2], `intents` [texts, 2] (text, label), `sts` [pairs, 2] with `sts.scores`. The held-out twentieth is under the
same names with `.held`.
"""

import time
from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.embedder.data import texts
from lightwell_training.embedder.data.tokenizer import LOWER_TABLE, add_words, train_fallback
from lightwell_training.embedder.data.vocabulary import choose, count_words

READ = (
    "wikipedia",
    "textbooks",
    "government",
    "news",
    "stories",
    "books",
    "dialogues",
    "squad",
    "pairs",
    "intents",
    "sts",
)

SAMPLE_BYTES = {
    "wikipedia-paragraphs": 14_000_000,
    "textbooks": 9_000_000,
    "government": 4_000_000,
    "news-simplified": 3_000_000,
    "stories": 1_500_000,
    "classic-books": 5_000_000,
    "dialogues": 3_000_000,
}
NEIGHBOURS_PER_CORPUS = 40_000
LONGEST = 400  # tokens of a text that training may see


class Texts:
    """Distinct texts, numbered as they come."""

    def __init__(self):
        self.numbers = {}

    def number(self, text):
        return self.numbers.setdefault(text.strip(), len(self.numbers))


def gather_sets(data, prose, store, random):
    """Name of set to rows of numbers."""
    sets, titles, labels = defaultdict(list), {}, {}

    def held(name, key):
        return f"{name}.held" if texts.is_held_out(key) else name

    for question, paragraph, title in texts.read_squad(data / "qa" / "squad-v1.1-train.jsonl.xz"):
        sets[held("squad", title)].append(
            (store.number(question), store.number(paragraph), titles.setdefault(title, len(titles)))
        )
    for a, b, source in texts.read_pairs(data):
        sets[held(f"pairs.{source}", b)].append((store.number(a), store.number(b)))
    for text, label in texts.read_intents(data):
        sets[held("intents", text)].append((store.number(text), labels.setdefault(label, len(labels))))
    for a, b, score in texts.read_sts(data / "pairs" / "sts-train.jsonl.xz"):
        name = held("sts", min(a, b))
        sets[name].append((store.number(a), store.number(b)))
        sets[f"{name}.scores"].append(score)
    for paragraphs in prose.values():
        found = list(texts.neighbours(paragraphs, random))
        random.shuffle(found)
        sets["neighbours"] += [(store.number(a), store.number(b)) for a, b in found[:NEIGHBOURS_PER_CORPUS]]
    return sets


def tokenizer_sample(prose, store):
    """Texts to train the tokenizer on: the beginning of each corpus, and every short text of the sets."""
    for name, paragraphs in prose.items():
        size = 0
        for paragraph in paragraphs:
            size += len(paragraph)
            if size > SAMPLE_BYTES[name]:
                break
            yield paragraph
    for text in list(store.numbers):
        if len(text) < 400:
            yield text


def encode(tokenizer, lines, longest=None):
    """Flat int32 ids and int64 offsets [texts + 1]."""
    parts, lengths = [], [0]
    for start in range(0, len(lines), 20_000):
        for encoded in tokenizer.encode_batch_fast(
            [line.translate(LOWER_TABLE) for line in lines[start : start + 20_000]], add_special_tokens=False
        ):
            ids = np.array(encoded.ids[:longest], dtype=np.int32)
            parts.append(ids)
            lengths.append(len(ids))
    return np.concatenate(parts), np.cumsum(lengths)


def make_tokenizer(prose, store, vectors):
    """The words are chosen by how often prose and training texts have them, and by their rank among the vectors."""
    texts_read = (text for paragraphs in (*prose.values(), store.numbers) for text in paragraphs)
    counts = count_words(text.translate(LOWER_TABLE) for text in texts_read)
    return add_words(train_fallback(tokenizer_sample(prose, store)), choose(counts, vectors["words"].tolist()))


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--vectors", type=Path, required=True, help="file that corpora word-vectors wrote")
    parser.add_argument("--out", type=Path, required=True)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    out, began = arguments.out, time.time()
    out.mkdir(parents=True, exist_ok=True)

    def report(what):
        return print(f"{time.time() - began:.0f} s: {what}", flush=True)

    prose = {name: texts.read_prose(arguments.data, name) for name in texts.PROSE}
    store = Texts()
    sets = gather_sets(arguments.data, prose, store, Random(1))
    np.savez(out / "sets.npz", **{name: np.array(rows) for name, rows in sets.items()})
    report({name: len(rows) for name, rows in sets.items()})
    tokenizer = make_tokenizer(prose, store, np.load(arguments.vectors))
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    tokenizer.normalizer = None  # texts are lowered above, much faster
    report(f"tokenizer of {tokenizer.get_vocab_size()} pieces")
    ids, offsets = encode(tokenizer, list(store.numbers), LONGEST)
    np.savez(out / "texts.npz", ids=ids, offsets=offsets)
    report(f"{len(offsets) - 1} texts of {len(ids)} tokens")
