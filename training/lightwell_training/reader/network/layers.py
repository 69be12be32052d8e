"""Layers of the reader: gated convolutions, attention, feed-forward."""

import torch
import torch.nn.functional as F
from torch import nn

HIDDEN = -1e4  # logit or score of a position that does not count

DECAYS = (1.5, 5.0)  # tokens over which the chance of a start fades behind it


class Norm(nn.Module):
    """RMSNorm over the last axis."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = 1e-5

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.eps)


class Dropout(nn.Module):
    """Drops the same columns of x [batch, tokens, width] at all tokens.

    Cheaper than a draw per value, and neighbours cannot fill in.
    """

    def __init__(self, share):
        super().__init__()
        self.share = share

    def forward(self, x):
        if not self.training or not self.share:
            return x
        return x * ((torch.rand(x.shape[0], 1, x.shape[2]) >= self.share) / (1.0 - self.share)).to(x.dtype)


class GatedConvolution(nn.Module):
    """x + a * sigmoid(b), where a and b see a token and its neighbours `dilation` before and after.

    Masked tokens count as zeros.
    """

    def __init__(self, width, dilation, dropout):
        super().__init__()
        self.norm, self.linear = Norm(width), nn.Linear(3 * width, 2 * width)
        self.dilation, self.dropout = dilation, Dropout(dropout)

    def forward(self, x, mask):
        d, length = self.dilation, x.shape[1]
        padded = F.pad(self.dropout(self.norm(x)) * mask.to(x.dtype), (0, 0, d, d))
        near = torch.cat([padded[:, :length], padded[:, d : d + length], padded[:, 2 * d : 2 * d + length]], dim=2)
        value, gate = self.linear(near).chunk(2, dim=-1)
        return x + value * torch.sigmoid(gate)


def rotary(length, size, theta):
    """Cosines and sines of positions, [length, size] each."""
    angles = torch.arange(length, dtype=torch.float32)[:, None] * theta ** (
        -torch.arange(0, size, 2, dtype=torch.float32) / size
    )
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Rotates pairs (i, i + size / 2) of x [batch, heads, tokens, size]."""
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-b, a], dim=-1) * sin


class Attention(nn.Module):
    """x + attention from x to `source`; with `theta` positions are rotary."""

    def __init__(self, shape, theta=None):
        super().__init__()
        width = shape.width
        self.norm = Norm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.heads, self.size, self.theta = shape.heads, width // shape.heads, theta

    def forward(self, x, source, mask):
        """The sum of x and its attention to `source`, [batch, tokens, width].

        `source` is [batch, others, width], or None for x itself; `mask` [batch, others] is 1.0 where a token counts.
        """

        def split(y):
            return y.unflatten(2, (self.heads, self.size)).transpose(1, 2)

        normed = self.norm(x)
        source = normed if source is None else source
        q, k, v = split(self.q(normed)), split(self.k(source)), split(self.v(source))
        if self.theta:
            tables = rotary(x.shape[1], self.size, self.theta)
            q, k = rotate(q, *tables), rotate(k, *tables)
        # As products of its own: PyTorch's attention takes twice as long here, seven times where the source is short.
        scores = (q * self.size**-0.5).to(v.dtype) @ k.to(v.dtype).transpose(2, 3)
        mixed = (scores + ((1.0 - mask) * HIDDEN).to(v.dtype)[:, None, None]).softmax(-1).to(v.dtype) @ v
        return x + self.o(mixed.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    """x plus two layers on it, [batch, tokens, width]."""

    def __init__(self, shape):
        super().__init__()
        self.norm = Norm(shape.width)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)

    def forward(self, x):
        return x + self.down(F.silu(self.up(self.norm(x))))


class Round(nn.Module):
    """Convolutions, a look at the question, convolutions, a look at the whole passage."""

    def __init__(self, shape, dilations, dropout):
        super().__init__()
        self.before, self.between = (
            nn.ModuleList(GatedConvolution(shape.width, d, dropout) for d in part) for part in dilations
        )
        self.cross, self.attention, self.feed = Attention(shape), Attention(shape, shape.theta), FeedForward(shape)

    def forward(self, x, asked, question_mask, passage_mask):
        for layer in self.before:
            x = layer(x, passage_mask[..., None])
        x = self.cross(x, asked, question_mask)
        for layer in self.between:
            x = layer(x, passage_mask[..., None])
        return self.feed(self.attention(x, None, passage_mask))


def pool(scores, x, mask):
    """Mean of x [batch, tokens, width] by the softmax of scores [batch, tokens, 1], [batch, 1, width]."""
    return (scores + ((1.0 - mask) * HIDDEN)[..., None]).transpose(1, 2).softmax(-1).to(x.dtype) @ x


def decays(length):
    """exp(-(i - j) / reach) for j <= i, else 0, float32 [2, length, length].

    Multiplied with the chances of a start, it says how much of them lies shortly before a position.
    """
    distance = torch.arange(length, dtype=torch.float32)[:, None] - torch.arange(length, dtype=torch.float32)[None]
    return torch.exp(-distance.clamp(min=0.0) / torch.tensor(DECAYS)[:, None, None]) * (distance >= 0)
