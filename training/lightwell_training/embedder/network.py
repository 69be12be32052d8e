"""The embedder: all-MiniLM-L6-v2 with a dense part per representation, and a lexical part beside it in one vector."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from lightwell_training.embedder.terms import REPRESENTATIONS
from lightwell_training.trunk.network import Trunk, TrunkShape

SATURATION = 1.2  # a term's value is its weight times count / (count + SATURATION), as in BM25


@dataclass(frozen=True)
class Shape:
    """Sizes of the network.

    The embedding's first `compact` dimensions stand alone, the first `dense` are those of the trunk, the rest up to
    `size` are lexical.
    """

    pieces: int
    terms: int
    compact: int = 128
    dense: int = 384
    size: int = 5120
    longest: int = 1024  # tokens of a text

    @property
    def lexical(self):
        return self.size - self.dense


class Embedder(nn.Module):
    """Tokens to one vector per text; the first token says which representation is wanted, and stands for [CLS].

    A text without such a token is symmetric. In a text longer than the trunk's positions, tokens attend within windows
    of that length, and the windows are pooled together.
    """

    def __init__(self, shape, term_of, seed=1):
        super().__init__()
        self.shape, self.trunk = shape, Trunk(TrunkShape(pieces=shape.pieces, width=shape.dense))
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], shape.terms)
        self.register_buffer("term_of", torch.as_tensor(term_of))
        self.register_buffer("place_of", torch.arange(shape.terms) % shape.lexical)
        self.register_buffer("sign_of", torch.from_numpy(signs.astype(np.float32)))
        self.term_weight = nn.Parameter(torch.zeros(shape.terms))
        self.heads = nn.Parameter(torch.zeros(len(REPRESENTATIONS), shape.dense, shape.dense))
        self.share = nn.Parameter(torch.zeros(len(REPRESENTATIONS)))

    def chosen(self, ids):
        """One-hot [batch, representations]."""
        named = (ids[:, :1] == self.shape.pieces - len(REPRESENTATIONS) + torch.arange(len(REPRESENTATIONS))).float()
        named[:, 0] += 1.0 - named.sum(1)
        return named

    def dense(self, ids, mask, weights, chosen):
        """Unit vectors [batch, dense]; `weights` are those of the mean."""
        size = self.trunk.shape.positions
        places = torch.arange(ids.shape[1])
        same = (places[:, None] // size == places // size).float()
        states = self.trunk(ids, mask.float()[:, None] * same, places=places % size)
        turned = torch.einsum("bi,roi->bro", (weights[:, None] @ states)[:, 0], self.heads)
        return F.normalize((turned * chosen[..., None]).sum(1), dim=1, eps=1e-6)

    def lexical(self, ids, mask, weights):
        """Unit vectors [batch, lexical]: saturated counts times weights, in hashed places with hashed signs."""
        terms = self.term_of[ids].long()
        counts = ((terms[:, :, None] == terms[:, None, :]).float() @ mask.float()[:, :, None])[..., 0]
        values = weights * self.term_weight[terms] / (counts + SATURATION) * self.sign_of[terms]
        sketch = torch.zeros(len(ids), self.shape.lexical).scatter_add(1, self.place_of[terms], values)
        return F.normalize(sketch, dim=1, eps=1e-6)

    def forward(self, ids, mask, token_weights=None):
        """Unit embeddings [batch, size].

        `ids` and `mask` are int64 [batch, tokens], `token_weights` float32 [batch, tokens] or None for ones.
        """
        chosen = self.chosen(ids)
        weights = mask.float() if token_weights is None else mask.float() * token_weights
        share = (chosen @ self.share[:, None]).clamp(0.0, 1.0)
        dense = self.dense(ids, mask, weights, chosen)
        return torch.cat([(1.0 - share).sqrt() * dense, share.sqrt() * self.lexical(ids, mask, weights)], 1)
