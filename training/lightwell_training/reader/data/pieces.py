"""Tables of the tokenizer's pieces: folded form, stem, shape."""

import json
import re

import numpy as np
from tokenizers import Tokenizer, decoders

PAD, CLS, SEP = "[PAD]", "[CLS]", "[SEP]"
PAD_ID, CLS_ID, SEP_ID = 0, 1, 2
SHAPES = (
    "special",
    "lower",
    "lower inside",
    "capital",
    "capital inside",
    "capitals",
    "year",
    "digits",
    "digits inside",
    "end of sentence",
    "bracket",
    "other",
)
SUFFIXES = (
    "ically",
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ness",
    "ions",
    "ally",
    "ing",
    "ies",
    "ion",
    "ied",
    "ers",
    "ous",
    "ive",
    "est",
    "al",
    "ed",
    "er",
    "es",
    "ly",
    "or",
    "s",
    "e",
    "y",
)
SENTENCE_ENDS = (".", "!", "?", '."', ".)", ".'", '?"', '!"', ".[")


def piece_texts(path):
    """The text of every piece, with its leading space.

    Bytes that are no text by themselves stay as the tokenizer writes them.
    """
    tokenizer = Tokenizer.from_file(str(path))
    names = [tokenizer.id_to_token(index) for index in range(tokenizer.get_vocab_size())]
    decoder = decoders.ByteLevel()
    texts = [name if index <= SEP_ID else decoder.decode([name]) for index, name in enumerate(names)]
    return [name if "\ufffd" in text else text for name, text in zip(names, texts)]


def shape_of(index, text):
    """Row of SHAPES for a piece."""
    word, inside = text.strip(), not text.startswith(" ")
    if index <= SEP_ID:
        name = "special"
    elif re.fullmatch(r"[0-9]+", word):
        name = "year" if re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", word) else "digits inside" if inside else "digits"
    elif word[:1].isalpha():
        if word.isupper() and len(word) > 1:
            name = "capitals"
        else:
            name = ("capital" if word[0].isupper() else "lower") + (" inside" if inside else "")
    elif word in SENTENCE_ENDS:
        name = "end of sentence"
    else:
        name = "bracket" if re.fullmatch(r"[\[\](){}\"'“”‘’]+", word) else "other"
    return SHAPES.index(name)


def stem(word):
    """A crude stem: one suffix less, if four letters remain."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word


def piece_tables(path):
    """Constant tables over the pieces, int64 each.

    `fold` is the class of the lower-case form without space, `stem` that of the stem, `shape` the kind of piece; `ends`
    is 1 where a piece ends a sentence.
    """
    texts = piece_texts(path)
    folds, stems = {}, {}
    rows = {"fold": [], "stem": [], "shape": [], "ends": []}
    for index, text in enumerate(texts):
        word = text.strip().lower() if index > SEP_ID else text
        rows["fold"].append(folds.setdefault(word or text, len(folds)))
        rows["stem"].append(stems.setdefault(stem(word) or text, len(stems)))
        rows["shape"].append(shape_of(index, text))
        rows["ends"].append(int(text.strip() in SENTENCE_ENDS))
    return {name: np.array(values, dtype=np.int64) for name, values in rows.items()}


def write_config(out, positions):
    """tokenizer_config.json beside the tokenizer."""
    added = {
        str(index): {
            "content": name,
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
            "special": True,
        }
        for index, name in enumerate((PAD, CLS, SEP))
    }
    values = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": positions,
        "clean_up_tokenization_spaces": False,
        "cls_token": CLS,
        "sep_token": SEP,
        "pad_token": PAD,
        "padding_side": "right",
        "truncation_side": "right",
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
        "added_tokens_decoder": added,
    }
    (out / "tokenizer_config.json").write_text(json.dumps(values, indent=2) + "\n")
