"""The networks of all-MiniLM-L6-v2 and all-mpnet-base-v2 in torch.

Both are BERT with post-norm layers (Devlin et al. 2019); MPNet (Song et al. 2020) adds a bias by distance to scores.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

HIDDEN = -1e4  # added to the score of a key that is padding


@dataclass(frozen=True)
class TrunkShape:
    """Sizes of the network."""

    pieces: int
    width: int = 384
    heads: int = 12
    layers: int = 6
    inner: int = 1536
    positions: int = 512
    eps: float = 1e-12
    buckets: int = 0  # of distances between tokens, see distance_buckets; 0: scores have no bias by distance


class Layer(nn.Module):
    """Self-attention and two feed-forward layers, each followed by a norm over the sum with its input."""

    dropout = 0.0  # in training: of attention weights and of what is added to an input

    def __init__(self, shape):
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, shape.eps)
        self.up, self.down = nn.Linear(width, shape.inner), nn.Linear(shape.inner, width)
        self.feed_norm = nn.LayerNorm(width, shape.eps)

    def forward(self, x, bias):
        """The next layer's input, [batch, tokens, width]; `bias` is added to scores [batch, heads, tokens, tokens]."""
        query, key, value = (
            part(x).unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        scores = (query * query.shape[-1] ** -0.5) @ key.transpose(2, 3) + bias.to(query.dtype)
        weights = self.dropped(scores.softmax(-1).to(value.dtype))
        x = self.attention_norm(x + self.dropped(self.output((weights @ value).transpose(1, 2).flatten(2))))
        return self.feed_norm(x + self.dropped(self.down(F.gelu(self.up(x)))))

    def dropped(self, values):
        """The values, in training with dropout (Srivastava et al. 2014)."""
        return F.dropout(values, self.dropout, self.training)


def distance_buckets(tokens, buckets):
    """The bucket of the distance from each token to each other one, int64 [tokens, tokens] (Raffel et al. 2020).

    Half of the buckets are for tokens before; a quarter are exact distances, the others grow by a factor up to 128.
    """
    places = torch.arange(tokens)
    ahead = places[None] - places[:, None]
    half, exact = buckets // 2, buckets // 4
    far = exact + torch.log(ahead.abs().clamp(min=1) / exact) / math.log(128 / exact) * (half - exact)
    size = torch.where(ahead.abs() < exact, ahead.abs(), far.long().clamp(max=half - 1))
    return size + half * (ahead > 0)


class Trunk(nn.Module):
    """States of every token, float [batch, tokens, width]."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.pieces, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.types = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, shape.eps)
        self.distances = nn.Embedding(shape.buckets, shape.heads) if shape.buckets else None
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def forward(self, ids, mask, types=None, places=None):
        """States for int64 `ids` [batch, tokens].

        `mask` is 1 for tokens and 0 for padding, [batch, tokens], or says for each token which ones it attends to,
        [batch, tokens, tokens]. `types` are 0 or 1, and 0 where None; `places` the positions, and 0, 1, 2 … where None.
        """
        types = torch.zeros_like(ids) if types is None else types
        places = self.places.weight[: ids.shape[1]] if places is None else self.places(places)
        x = self.norm(self.words(ids) + places + self.types(types))
        seen = mask.float()[:, None] if mask.dim() == 3 else mask.float()[:, None, None]
        bias = (1.0 - seen) * HIDDEN
        if self.distances is not None:
            buckets = distance_buckets(ids.shape[1], self.shape.buckets).to(ids.device)
            bias = bias + self.distances(buckets).permute(2, 0, 1)
        for layer in self.layers:
            x = layer(x, bias)
        return x


NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "feed_norm": "output.LayerNorm",
}  # a layer's modules, and what the published file calls them
TABLES = {
    "words": "embeddings.word_embeddings",
    "places": "embeddings.position_embeddings",
    "types": "embeddings.token_type_embeddings",
    "norm": "embeddings.LayerNorm",
}


def published_name(name, names=NAMES, tables=TABLES):
    """The name in the published file of a parameter of Trunk; `names` are those of a layer's modules."""
    first, *rest = name.split(".")
    if first == "layers":
        return f"encoder.layer.{rest[0]}.{names[rest[1]]}.{rest[2]}"
    return f"{tables[first]}.{rest[0]}"


def pretrained_trunk(weights, kept):
    """The published network with the word embeddings of the pieces `kept`; `weights` as read_weights gives them."""
    trunk = Trunk(TrunkShape(pieces=len(kept)))
    values = {name: torch.from_numpy(weights[published_name(name)]) for name in trunk.state_dict()}
    values["words.weight"] = values["words.weight"][torch.from_numpy(kept)]
    trunk.load_state_dict(values)
    return trunk
