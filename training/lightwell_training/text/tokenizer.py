"""The tokenizer: byte-level BPE, digits one by one, no normaliser, so that any UTF-8 text comes back unchanged."""

import re

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

END_OF_TEXT = "<|endoftext|>"
PIECES = 4096
SAMPLE_BYTES = {
    "synthetic": 3_000_000,
    "distant": 0,
    "dialogues": 5_000_000,
    "reading": 5_000_000,
    "stories": 1_500_000,
    "news": 2_000_000,
    "books": 3_000_000,
}


def train_tokenizer(documents, path):
    """Trains on a sample of every domain and writes the hub's tokenizer.json to `path`.

    `documents` maps a domain to its texts.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    sample = []
    for domain, texts in documents.items():
        size = 0
        for text in texts:
            if size > SAMPLE_BYTES[domain]:
                break
            size += len(text)
            sample.append(re.sub("[\x02\x03]", "", text))
    tokenizer.train_from_iterator(sample, trainer)
    tokenizer.save(str(path))
