"""Makes the embedder's tokenizer, and the terms that its lexical part matches.

Pieces of one English stem are one term; a term weighs more, the fewer texts have it. Writes OUT/terms.npz and
OUT/tokenizer.json, which is the cut one with a special token for each representation.
"""

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.corpora.texts import PROSE, is_held_out, read_pairs, read_prose
from lightwell_training.trunk.vocabulary import SPECIALS

READ = ("wikipedia", "textbooks", "government", "news", "stories", "books", "dialogues", "pairs")

REPRESENTATIONS = {"symmetric": "<sym>", "query": "<query>", "document": "<doc>"}  # in the order of their ids, the last
PARAGRAPHS = 6000  # of a corpus, whose terms are counted
SUFFIXES = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))


def stem(word):
    """A word without its commonest English endings; for matching words only, so a stem need not be a word."""
    for suffix, instead in SUFFIXES:
        base = word[: len(word) - len(suffix)]
        if word.endswith(suffix) and len(base) >= 3 and not word.endswith(("ss", "us", "is")):
            word = base + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lse":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] in "e" else word


def with_representations(stored):
    """The cut tokenizer.json, as an object, with a special token for each representation, which stands for [CLS]."""
    vocabulary = stored["model"]["vocab"]
    tokens = [
        {
            "id": len(vocabulary) + index,
            "content": content,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for index, content in enumerate(REPRESENTATIONS.values())
    ]
    model = {**stored["model"], "vocab": vocabulary | {token["content"]: token["id"] for token in tokens}}
    frame = stored["post_processor"]
    frame = {**frame, **{name: without_cls(frame[name]) for name in ("single", "pair")}}
    return {**stored, "model": model, "added_tokens": [*stored["added_tokens"], *tokens], "post_processor": frame}


def without_cls(template):
    """A template of the tokenizer without [CLS]."""
    return [part for part in template if part.get("SpecialToken", {}).get("id") != "[CLS]"]


def fold_pieces(pieces):
    """The term of each piece, int32 [pieces]."""
    terms = {}
    folded = (stem(piece) if piece.isascii() and piece.isalpha() else piece for piece in pieces)
    return np.array([terms.setdefault(term, len(terms)) for term in folded], np.int32)


def counted_texts(data):
    """Texts in which terms are counted; none of them is held out."""
    for name in PROSE:
        yield from read_prose(data, name)[:PARAGRAPHS]
    yield from {b for _, b, _ in read_pairs(data) if not is_held_out(b)}


def weights_of(tokenizer, term_of, texts):
    """Inverse document frequencies float32 [terms], from 0 to 1; those of special tokens are 0."""
    holders, count = np.zeros(term_of.max() + 1), 0
    for item in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False):
        holders[np.unique(term_of[item.ids])] += 1
        count += 1
    weights = (np.log((count + 1) / (holders + 1)) / np.log(count + 1)).astype(np.float32)
    special = [tokenizer.token_to_id(token) for token in (*SPECIALS, *REPRESENTATIONS.values())]
    weights[term_of[special]] = 0.0
    return weights


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--cut", type=Path, required=True, help="folder that trunk vocabulary wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    arguments.out.mkdir(parents=True, exist_ok=True)
    stored = json.loads((arguments.cut / "tokenizer.json").read_text(encoding="utf-8"))
    text = json.dumps(with_representations(stored), ensure_ascii=False)
    (arguments.out / "tokenizer.json").write_text(text, encoding="utf-8")
    tokenizer = Tokenizer.from_file(str(arguments.out / "tokenizer.json"))
    term_of = fold_pieces(tokenizer.id_to_token(index) for index in range(tokenizer.get_vocab_size()))
    weights = weights_of(tokenizer, term_of, counted_texts(arguments.data))
    np.savez(arguments.out / "terms.npz", term_of=term_of, weights=weights)
    print(f"{len(term_of)} pieces, {len(weights)} terms")
