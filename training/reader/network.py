"""The reader: match features, an encoder of gated convolutions, one look at the question and one at the passage, then start and end of the answer."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from matching import EVIDENCE, FEATURES, match_features
from pieces import SEP_ID, SHAPES

HIDDEN = -1e4  # logit or score of a position that does not count
DECAYS = (1.5, 5.0)  # tokens over which the chance of a start fades behind it


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = 128
    heads: int = 4
    inner: int = 256
    question_dilations: tuple = (1, 2)
    rounds: tuple = (((1, 2), (4,)), ((1,), (2,)))  # per round dilations of the passage's convolutions before and after its look at the question
    after: tuple = (1,)
    theta: float = 10000.0


class Norm(nn.Module):
    """RMSNorm over the last axis."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = 1e-5

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.eps)


class Dropout(nn.Module):
    """Drops the same columns of x [batch, tokens, width] at all tokens: cheaper than a draw per value, and neighbours cannot fill in."""

    def __init__(self, share):
        super().__init__()
        self.share = share

    def forward(self, x):
        if not self.training or not self.share:
            return x
        return x * ((torch.rand(x.shape[0], 1, x.shape[2]) >= self.share) / (1.0 - self.share)).to(x.dtype)


class GatedConvolution(nn.Module):
    """x + a * sigmoid(b), where a and b see a token and its neighbours `dilation` before and after. Masked tokens count as zeros."""

    def __init__(self, width, dilation, dropout):
        super().__init__()
        self.norm, self.linear = Norm(width), nn.Linear(3 * width, 2 * width)
        self.dilation, self.dropout = dilation, Dropout(dropout)

    def forward(self, x, mask):
        d, length = self.dilation, x.shape[1]
        padded = F.pad(self.dropout(self.norm(x)) * mask.to(x.dtype), (0, 0, d, d))
        near = torch.cat([padded[:, :length], padded[:, d:d + length], padded[:, 2 * d:2 * d + length]], dim=2)
        value, gate = self.linear(near).chunk(2, dim=-1)
        return x + value * torch.sigmoid(gate)


def rotary(length, size, theta):
    """Cosines and sines of positions, [length, size] each."""
    angles = torch.arange(length, dtype=torch.float32)[:, None] * theta ** (-torch.arange(0, size, 2, dtype=torch.float32) / size)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
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
        """x [batch, tokens, width], source [batch, others, width] or None for x itself, mask [batch, others] is 1.0 where a token counts."""
        split = lambda y: y.unflatten(2, (self.heads, self.size)).transpose(1, 2)
        normed = self.norm(x)
        source = normed if source is None else source
        q, k, v = split(self.q(normed)), split(self.k(source)), split(self.v(source))
        if self.theta:
            tables = rotary(x.shape[1], self.size, self.theta)
            q, k = rotate(q, *tables), rotate(k, *tables)
        mixed = F.scaled_dot_product_attention(q.to(v.dtype), k.to(v.dtype), v, attn_mask=(mask > 0)[:, None, None])
        return x + self.o(mixed.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.norm, self.up, self.down = Norm(shape.width), nn.Linear(shape.width, shape.inner), nn.Linear(shape.inner, shape.width)

    def forward(self, x):
        return x + self.down(F.silu(self.up(self.norm(x))))


class Round(nn.Module):
    """Convolutions, a look at the question, convolutions, a look at the whole passage."""

    def __init__(self, shape, dilations, dropout):
        super().__init__()
        self.before, self.between = (nn.ModuleList(GatedConvolution(shape.width, d, dropout) for d in part) for part in dilations)
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
    """exp(-(i - j) / reach) for j <= i else 0, [2, length, length]: how much of a start's probability lies shortly before a position."""
    distance = torch.arange(length, dtype=torch.float32)[:, None] - torch.arange(length, dtype=torch.float32)[None]
    return torch.exp(-distance.clamp(min=0.0) / torch.tensor(DECAYS)[:, None, None]) * (distance >= 0)


class Findings(NamedTuple):
    """What the reader found: start and end over the passage [batch, passage], none [batch, 2], evidence [batch, question, EVIDENCE] for each word where the answer begins."""

    start: torch.Tensor
    end: torch.Tensor
    none: torch.Tensor
    evidence: torch.Tensor


class Reader(nn.Module):
    """Logits of start and end over [CLS] (no answer) and the passage's tokens."""

    def __init__(self, shape, tables, dropout=0.1):
        super().__init__()
        width = shape.width
        self.shape = shape
        for name in ("fold", "stem", "shape", "ends"):
            self.register_buffer(f"table_{name}", torch.from_numpy(tables[name]))
        self.vectors = nn.Parameter(torch.tensor(tables["vectors"], dtype=torch.float32))
        self.shapes = nn.Parameter(torch.randn(len(SHAPES), width) * 0.3)
        self.weights = nn.Parameter(torch.tensor(tables["weights"], dtype=torch.float32))
        conv = lambda dilations: nn.ModuleList(GatedConvolution(width, d, dropout) for d in dilations)
        self.dropout = Dropout(dropout)
        self.question_in, self.question = nn.Linear(width, width), conv(shape.question_dilations)
        self.question_norm, self.question_score = Norm(width), nn.Linear(width, 1)
        self.align = nn.Linear(width, width)
        self.passage_in, self.condition = nn.Linear(3 * width + FEATURES, width), nn.Linear(width, width)
        self.rounds, self.after = nn.ModuleList(Round(shape, dilations, dropout) for dilations in shape.rounds), conv(shape.after)
        self.out_norm, self.passage_score = Norm(width), nn.Linear(width, 1)
        self.start_in, self.start_out = nn.Linear(2 * width, width), nn.Linear(width, 1)
        self.end_in, self.end_out = nn.Linear(3 * width + 2, width), nn.Linear(width, 1)
        self.proof_in = nn.Linear(2 * width + EVIDENCE, width)
        self.none_in, self.none_out = nn.Linear(4 * width, width), nn.Linear(width, 2)

    def embed(self, ids):
        return self.vectors[self.table_fold[ids]] + self.shapes[self.table_shape[ids]]

    def features(self, question, passage):
        """Match features [batch, passage, FEATURES] and the share of the question that the passage has, [batch, 1]."""
        classes = lambda ids: {"piece": ids, "fold": self.table_fold[ids], "stem": self.table_stem[ids]}
        words = lambda ids: (ids > SEP_ID).float()
        ends = self.table_ends[passage]
        with torch.autocast("cpu", enabled=False):
            weights = self.weights[self.table_fold[question]]
            return match_features(classes(passage), classes(question), weights, words(passage), words(question), ends.cumsum(1) - ends)

    def aligned(self, x, question, mask):
        """For each token of x the mean of the question's vectors that are like it."""
        scores = F.relu(self.align(x)) @ F.relu(self.align(question)).transpose(1, 2) * self.shape.width ** -0.5
        return (scores + ((1.0 - mask) * HIDDEN)[:, None]).softmax(-1).to(x.dtype) @ question

    def encode(self, question, passage, question_mask, passage_mask):
        """Passage [batch, passage, width], question [batch, question, width], its summary [batch, 1, width], and what match_features found."""
        features, found = self.features(question, passage)
        asked, x = self.dropout(self.embed(question)), self.dropout(self.embed(passage))
        aligned = self.aligned(x, asked, question_mask)
        asked = self.question_in(asked)
        for layer in self.question:
            asked = layer(asked, question_mask[..., None])
        asked = self.question_norm(asked)
        summary = pool(self.question_score(asked), asked, question_mask)
        x = self.passage_in(torch.cat([x, aligned, x * aligned, features.to(x.dtype)], dim=2)) + self.condition(summary)
        for layer in self.rounds:
            x = layer(x, asked, question_mask, passage_mask)
        for layer in self.after:
            x = layer(x, passage_mask[..., None])
        return self.dropout(self.out_norm(x)), asked, summary, found

    def no_answer(self, x, asked, summary, chances, evidence, masks):
        """Logits of no answer, [batch, 1, 2]: is each word of the question borne out where the answer would begin?"""
        place = chances.to(x.dtype) @ x
        proof = F.silu(self.proof_in(torch.cat([asked, asked * place, evidence.to(x.dtype)], 2)))
        words = masks[0][:, None].to(x.dtype)
        proof = words @ proof / words.sum(2, keepdim=True)
        whole = pool(self.passage_score(x), x, masks[1])
        return self.none_out(F.silu(self.none_in(torch.cat([proof, whole, summary, place * summary], 2)))).float()

    def find(self, question, passage):
        """Findings for question [CLS] ... [SEP] and passage ... [SEP], int64 ids padded with 0."""
        masks = (question > 0).float(), (passage > 0).float()
        x, asked, summary, found = self.encode(question, passage, *masks)
        outside = ((1.0 - (passage > SEP_ID).float()) * HIDDEN)[..., None]
        start = self.start_out(F.silu(self.start_in(torch.cat([x, x * summary], 2)))).float() + outside
        chances = start.transpose(1, 2).softmax(-1)  # [batch, 1, passage]
        begun = (chances[:, None] @ decays(passage.shape[1]).transpose(1, 2)).squeeze(2).transpose(1, 2)  # [batch, passage, 2]
        first = chances.to(x.dtype) @ x
        end = self.end_out(F.silu(self.end_in(torch.cat([x, x * summary, x * first, begun.to(x.dtype)], 2)))).float() + outside
        chances = chances.detach()
        evidence = torch.stack([(chances @ near)[:, 0] for near in found[:-1]] + [found[-1]], dim=2)
        none = self.no_answer(x, asked, summary, chances, evidence, masks)
        return Findings(start[..., 0], end[..., 0], none[:, 0], evidence)

    def forward(self, question, passage):
        """Start and end logits, two [batch, 1 + passage]; index 0 is no answer."""
        found = self.find(question, passage)
        return [torch.cat([found.none[:, side, None], logits], 1) for side, logits in enumerate((found.start, found.end))]
