"""The embedder: word embeddings, few attention layers, a dense part and a lexical part side by side in one vector."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SPECIALS = 4  # <pad>, <sym>, <query>, <doc>: ids, rows and terms 0 to 3
REPRESENTATIONS = 3
PREFIX_WEIGHT = 1e-4  # a text of the prefix alone still has something to pool


@dataclass(frozen=True)
class Shape:
    """Sizes of the network.

    The embedding's first `compact` dimensions stand alone, `dense` are trained, the rest up to `size` are lexical.
    """

    pieces: int
    rows: int
    terms: int
    word_width: int = 128
    width: int = 256
    heads: int = 4
    head_size: int = 32
    feed: int = 256
    layers: int = 1
    hidden: int = 1024
    compact: int = 128
    dense: int = 256
    size: int = 5120
    max_positions: int = 1024
    norm_eps: float = 1e-6

    @property
    def lexical(self):
        return self.size - self.dense


class Norm(nn.Module):
    """RMSNorm."""

    def __init__(self, width, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps))


class Layer(nn.Module):
    """Self-attention and a feed-forward network; both start at nothing.

    Heads look more or less far: each has a penalty per token of distance (ALiBi).
    """

    def __init__(self, shape):
        super().__init__()
        self.shape, inner = shape, shape.heads * shape.head_size
        self.attention_norm, self.feed_norm = Norm(shape.width, shape.norm_eps), Norm(shape.width, shape.norm_eps)
        self.query, self.key, self.value = (nn.Linear(shape.width, inner, bias=False) for _ in range(3))
        self.output = nn.Linear(inner, shape.width, bias=False)
        self.up = nn.Linear(shape.width, shape.feed, bias=False)
        self.down = nn.Linear(shape.feed, shape.width, bias=False)
        nn.init.zeros_(self.output.weight)
        nn.init.zeros_(self.down.weight)

    def forward(self, x, bias):
        """X [batch, tokens, width], bias [batch, heads, tokens, tokens]."""
        shape, normed = self.shape, self.attention_norm(x)

        def split(part):
            return part(normed).unflatten(-1, (shape.heads, shape.head_size)).transpose(1, 2)

        mixed = F.scaled_dot_product_attention(split(self.query), split(self.key), split(self.value), attn_mask=bias)
        x = x + self.output(mixed.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.feed_norm(x))))


def slopes(heads):
    """How much a token of distance loses in each head; the last head sees all alike."""
    return [0.5 ** (2 * head + 1) if head < heads - 1 else 0.0 for head in range(heads)]


def attention_bias(mask, heads):
    """0 or less [batch, heads, tokens, tokens]: distance, and the least float where a key is padding."""
    positions = torch.arange(mask.shape[1], dtype=torch.float32)
    distance = (positions[None] - positions[:, None]).abs()
    near = -torch.tensor(slopes(heads))[None, :, None, None] * distance
    return torch.where(mask[:, None, None].bool(), near, torch.finfo(torch.float32).min)


class Embedder(nn.Module):
    """Tokens to one vector per text; the first token says which representation is wanted."""

    def __init__(self, shape, row_of, term_of, seed=1):
        super().__init__()
        self.shape = shape
        self.register_buffer("row_of", torch.as_tensor(row_of))
        self.register_buffer("term_of", torch.as_tensor(term_of))
        self.register_buffer("bucket_of", torch.arange(shape.terms) % shape.lexical)
        self.register_buffer(
            "sign_of", torch.from_numpy(np.random.default_rng(seed).choice([-1.0, 1.0], shape.terms).astype(np.float32))
        )
        self.words = nn.Embedding(shape.rows, shape.word_width, sparse=True)
        self.widen = nn.Linear(shape.word_width, shape.width, bias=False)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.word_weight = nn.Parameter(torch.zeros(shape.rows))
        self.context_weight = nn.Linear(shape.width, 1, bias=False)
        self.up, self.down = nn.Linear(shape.width, shape.hidden), nn.Linear(shape.hidden, shape.width, bias=False)
        self.project = nn.Linear(shape.width, REPRESENTATIONS * shape.dense, bias=False)
        self.term_weight = nn.Parameter(torch.zeros(shape.terms, REPRESENTATIONS))
        self.saturation = nn.Parameter(torch.zeros(REPRESENTATIONS))
        self.share = nn.Parameter(torch.zeros(REPRESENTATIONS))
        nn.init.zeros_(self.context_weight.weight)
        nn.init.zeros_(self.down.weight)
        turn = turned(shape.width, seed)
        self.widen.weight.data.copy_(turn[:, : shape.word_width] * (shape.width / shape.word_width) ** 0.5)
        self.project.weight.data.copy_(turn.T[: shape.dense].repeat(REPRESENTATIONS, 1))  # the words as they were

    def hidden_states(self, ids, mask):
        """What the layers make of the words, [batch, tokens, width]."""
        x = self.widen(self.words(self.row_of[ids]))
        bias = attention_bias(mask, self.shape.heads)
        for layer in self.layers:
            x = layer(x, bias)
        return x

    def pool(self, ids, mask, weights):
        """Weighted mean [batch, width] of hidden states; the prefix hardly counts.

        Without layers the words are averaged before they are widened, which gives the same and costs half.
        """
        if self.layers:
            x, context = self.hidden_states(ids, mask), self.context_weight.weight
        else:
            x, context = self.words(self.row_of[ids]), self.context_weight.weight @ self.widen.weight
        learned = torch.exp(self.word_weight[self.row_of[ids]] + F.linear(x, context)[..., 0])
        weights = weights * torch.where(ids < SPECIALS, PREFIX_WEIGHT, learned)
        mean = (weights[:, None] @ x)[:, 0] / (weights.sum(1, keepdim=True) + 1e-9)
        return mean if self.layers else self.widen(mean)

    def dense(self, pooled, chosen):
        """Unit vectors [batch, dense]; `chosen` [batch, representations] is one-hot."""
        pooled = pooled + self.down(F.gelu(self.up(pooled)))
        projected = self.project(pooled).unflatten(-1, (REPRESENTATIONS, self.shape.dense))
        picked = (projected * chosen[..., None]).sum(1)
        return picked / torch.sqrt(picked.square().sum(-1, keepdim=True) + 1e-12)

    def lexical(self, ids, mask, weights, chosen):
        """Unit vectors [batch, lexical].

        A term has its saturated count times its learned weight, in a hashed place with a hashed sign.
        """
        terms = self.term_of[ids]
        weights = weights * (ids >= SPECIALS)
        same = (terms[:, :, None] == terms[:, None, :]).float()
        counts = (same @ mask.float()[:, :, None])[..., 0]
        learned = torch.exp(torch.einsum("btr,br->bt", self.term_weight[terms], chosen))
        saturation = torch.exp((chosen * self.saturation).sum(-1, keepdim=True))
        values = weights * learned / (counts + saturation) * self.sign_of[terms]
        sketch = torch.zeros(len(ids), self.shape.lexical).scatter_add(1, self.bucket_of[terms], values)
        return sketch / torch.sqrt(sketch.square().sum(-1, keepdim=True) + 1e-12)

    def forward(self, ids, mask, token_weights=None):
        """Unit embeddings [batch, size].

        `ids` and `mask` are int64 [batch, tokens], `token_weights` float32 [batch, tokens] or None for ones.
        """
        chosen = choose(ids)
        weights = mask.float() if token_weights is None else mask.float() * token_weights
        dense = self.dense(self.pool(ids, mask, weights), chosen)
        share = torch.exp((chosen * self.share).sum(-1, keepdim=True))
        both = torch.cat([dense, share * self.lexical(ids, mask, weights, chosen)], -1)
        return both / torch.sqrt(1 + share.square())


def turned(width, seed):
    """A random rotation [width, width]."""
    return torch.linalg.qr(torch.randn(width, width, generator=torch.Generator().manual_seed(seed)))[0]


def choose(ids):
    """One-hot [batch, representations] of the first token; a text without a prefix is taken as symmetric."""
    first = ids[:, 0]
    query, document = (first == 2).float(), (first == 3).float()
    return torch.stack([1 - query - document, query, document], -1)
