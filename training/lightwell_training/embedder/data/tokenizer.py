"""The tokenizer: whole words, and byte-level BPE of any other UTF-8 text; capitals are read as small letters.

Letters are lowered one for one and only where both cases take the same number of bytes, so that the pieces of a text
still add up to its bytes, and the place of a piece in the text can be found by counting.
"""

import json

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

PREFIXES = {"symmetric": "<sym>", "query": "<query>", "document": "<doc>"}
PADDING = "<pad>"
SPECIALS = [PADDING, *PREFIXES.values()]  # ids 0 to 3
FALLBACK_PIECES = 8_000
LOWERED = {
    chr(code): chr(code).lower() for code in [*range(0x41, 0x5B), *range(0xC0, 0xD7), *range(0xD8, 0xDF)]
}  # Latin letters of one or two bytes
SPACE = "Ġ"  # how byte-level BPE writes a space
LOWER_TABLE = str.maketrans(LOWERED)
SUFFIXES = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))


def train_fallback(texts):
    """Byte-level BPE of FALLBACK_PIECES pieces, trained on an iterable of texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=FALLBACK_PIECES,
        min_frequency=3,
        special_tokens=[AddedToken(text, normalized=False, special=True) for text in SPECIALS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        max_token_length=18,
        show_progress=False,
    )
    tokenizer.train_from_iterator((text.translate(LOWER_TABLE) for text in texts), trainer)
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(upper, lower) for upper, lower in LOWERED.items()])
    return tokenizer


def bytes_of(word):
    """A word as byte-level BPE writes it."""
    return "".join(piece for piece, _ in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(word))


def add_words(fallback, words):
    """The tokenizer that takes each of `words` whole, at the beginning of a text and behind a space.

    Words have the ids behind the pieces of the fallback, in their order, each first with its space.
    """
    return add_pieces(fallback, (piece for word in words for piece in (SPACE + bytes_of(word), bytes_of(word))))


def add_pieces(fallback, added):
    """The tokenizer that takes each of `added`, written as byte-level BPE writes them, whole.

    `ignore_merges` of the BPE model does that: what stands in the vocabulary needs no merges.
    """
    stored = json.loads(fallback.to_str())
    pieces = stored["model"]["vocab"]
    for piece in added:
        pieces.setdefault(piece, len(pieces))
    stored["model"]["ignore_merges"] = True
    return Tokenizer.from_str(json.dumps(stored))


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


def bare_pieces(tokenizer):
    """The pieces by id, without their leading space where they have one."""
    pieces = {index: piece for piece, index in tokenizer.get_vocab().items()}
    return [
        pieces[index] if index < len(SPECIALS) else pieces[index].lstrip(SPACE) or pieces[index]
        for index in range(len(pieces))
    ]


def fold_pieces(tokenizer):
    """Two tables over pieces, int lists: the row of the embedding, and the term that is matched.

    A piece with and without its leading space share a row, pieces of one stem share a term. Rows and terms 0 to 3 are
    those of the special tokens.
    """
    rows, terms = {}, {}
    row_of, term_of = [], []
    for bare in bare_pieces(tokenizer):
        row_of.append(rows.setdefault(bare, len(rows)))
        term_of.append(terms.setdefault(stem(bare) if bare.isascii() and bare.isalpha() else bare, len(terms)))
    return row_of, term_of
