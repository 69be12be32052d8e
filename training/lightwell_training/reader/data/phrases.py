"""How alike two short phrases are: cosine of the means of their pieces' word embeddings in all-MiniLM-L6-v2."""

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.trunk.network import published_name
from lightwell_training.trunk.pretrained import read_weights


class PhraseVectors:
    """A function of two phrases; the embeddings count without their common mean."""

    def __init__(self, pretrained):
        self.tokenizer = Tokenizer.from_file(str(pretrained / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        table = read_weights(pretrained)[published_name("words.weight")]
        self.table, self.known = table - table.mean(0), {}

    def prepare(self, phrases):
        """Computes the vectors of the phrases that are new."""
        new = sorted(set(phrases) - self.known.keys())
        encoded = self.tokenizer.encode_batch_fast(new, add_special_tokens=False)
        for phrase, item in zip(new, encoded):
            mean = self.table[item.ids].mean(0)
            self.known[phrase] = mean / (np.linalg.norm(mean) + 1e-6)

    def __call__(self, one, others):
        """Cosines of a phrase and other ones, all of which were prepared, [others]."""
        return np.array([self.known[other] for other in others]) @ self.known[one]
