"""The reader's tokenizer: whole words as they are written, and byte-level BPE of any other text."""

import re
from collections import Counter

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from lightwell_training.reader.data.pieces import CLS, CLS_ID, PAD, SEP, SEP_ID
from lightwell_training.reader.data.words import add_pieces, bytes_of, choose

WORDS = 40_000
FALLBACK_PIECES = 6_000
SEEN = 3  # times that a form must stand in the texts, unless it is one that any word may have
FORM = re.compile(r" ?[^\W\d_]+| ?\d+")  # as the tokenizer cuts them, without marks


def train_fallback(texts):
    """Byte-level BPE; a question and its passage become [CLS] question [SEP] passage [SEP]."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}", pair=f"{CLS} $A {SEP} $B:1 {SEP}:1", special_tokens=[(CLS, CLS_ID), (SEP, SEP_ID)]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=FALLBACK_PIECES,
        special_tokens=[PAD, CLS, SEP],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def forms_of(words, seen):
    """The forms of the words that become pieces: small and with a capital behind a space, and others that were seen."""
    by_word = {}
    for form, count in seen.items():
        if count >= SEEN:
            by_word.setdefault(form.strip().lower(), set()).add(form)
    for word in words:
        yield from sorted({f" {word}", f" {word.capitalize()}"} | by_word.get(word, set()))


def train_tokenizer(texts, ranked, path):
    """Writes the hub's tokenizer.json to `path`; `ranked` are the words that have vectors, the most common first."""
    seen, counts = Counter(), Counter()
    for text in texts:
        seen.update(FORM.findall(text))
    for form, count in seen.items():
        counts[form.strip().lower()] += count
    words = choose(counts, ranked, WORDS)
    add_pieces(train_fallback(texts), map(bytes_of, forms_of(words, seen))).save(str(path), pretty=False)
