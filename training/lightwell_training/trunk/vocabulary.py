"""Cuts the vocabulary of all-MiniLM-L6-v2 to the pieces that English text uses most.

Every piece of a single character stays, so that a word whose piece is cut is spelled in smaller pieces and no text
becomes unknown that was known before. Writes OUT/tokenizer.json and OUT/kept.npy, the earlier id of every piece.
"""

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.corpora.texts import PROSE, read_lines, read_prose

PIECES = 24_000
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")  # ids 0 to 3
PAD_ID, UNKNOWN_ID, CLS_ID, SEP_ID = range(4)
READ = ("wikipedia", "textbooks", "government", "news", "stories", "books", "dialogues", "squad", "pairs", "intents")
SAMPLE = 12_000_000  # characters of a corpus of prose that are counted
AT_ONCE = 4096  # texts tokenised at a time


def counted_texts(data):
    """Prose, questions and short texts, as lists of texts; each list weighs by its length."""
    for name in PROSE:
        kept, size = [], 0
        for paragraph in read_prose(data, name):
            kept.append(paragraph)
            size += len(paragraph)
            if size > SAMPLE:
                break
        yield kept
    yield [row["question"] for row in read_lines(data / "qa" / "squad-v1.1-train.jsonl.xz")]
    pairs = read_lines(data / "pairs" / "pairs.jsonl.xz")
    yield [text for row in pairs for text in (row["a"], row["b"])]
    yield [row["text"] for row in read_lines(data / "pairs" / "intents-train.jsonl.xz")]


def count_pieces(tokenizer, groups):
    """How often each piece stands in the texts of all groups, [pieces]."""
    counts = np.zeros(tokenizer.get_vocab_size(), np.int64)
    for texts in groups:
        for start in range(0, len(texts), AT_ONCE):
            encoded = tokenizer.encode_batch_fast(texts[start : start + AT_ONCE], add_special_tokens=False)
            ids = np.concatenate([np.array(item.ids, np.int64) for item in encoded])
            counts += np.bincount(ids, minlength=len(counts))
    return counts


def choose(vocabulary, counts, size=PIECES):
    """The pieces to keep, in the order of their new ids: special ones, single characters and the most frequent."""
    single = {piece for piece in vocabulary if len(piece.removeprefix("##")) == 1}
    ranked = sorted(set(vocabulary) - single - set(SPECIALS), key=lambda piece: -counts[vocabulary[piece]])
    ranked = [piece for piece in ranked if not piece.startswith("[unused") and piece != "[MASK]"]
    chosen = single | set(ranked[: size - len(single) - len(SPECIALS)])
    return [*SPECIALS, *sorted(chosen, key=vocabulary.get)]


def cut_tokenizer(stored, pieces):
    """The hub's tokenizer.json, as an object, with the vocabulary `pieces` and without a fixed length."""
    cut = {**stored, "truncation": None, "padding": None}
    cut["model"] = {**stored["model"], "vocab": {piece: index for index, piece in enumerate(pieces)}}
    cut["added_tokens"] = [
        {**token, "id": pieces.index(token["content"])}
        for token in stored["added_tokens"]
        if token["content"] in SPECIALS
    ]
    specials = {name: {"id": name, "ids": [pieces.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    cut["post_processor"] = {**stored["post_processor"], "special_tokens": specials}
    return cut


def vocabulary_of(path):
    """The id of each piece of a tokenizer.json."""
    return json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--pieces", type=int, default=PIECES, help=f"size of the vocabulary (default: {PIECES})")


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    arguments.out.mkdir(parents=True, exist_ok=True)
    stored = json.loads((arguments.pretrained / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(arguments.pretrained / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    counts = count_pieces(tokenizer, counted_texts(arguments.data))
    vocabulary = stored["model"]["vocab"]
    pieces = choose(vocabulary, counts, arguments.pieces)
    kept = np.array([vocabulary[piece] for piece in pieces])
    np.save(arguments.out / "kept.npy", kept)
    text = json.dumps(cut_tokenizer(stored, pieces), ensure_ascii=False)
    (arguments.out / "tokenizer.json").write_text(text, encoding="utf-8")
    print(f"{len(pieces)} of {len(vocabulary)} pieces, {100 * counts[kept].sum() / counts.sum():.2f} % of all uses")
