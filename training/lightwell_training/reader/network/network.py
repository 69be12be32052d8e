"""The reader: match features, gated convolutions, attention to question and passage, start and end of the answer."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from lightwell_training.reader.data.pieces import SEP_ID, SHAPES
from lightwell_training.reader.network.layers import (
    HIDDEN,
    Dropout,
    GatedConvolution,
    Norm,
    Round,
    decays,
    pool,
)
from lightwell_training.reader.network.matching import EVIDENCE, FEATURES, UNLIKE, match_features


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = 128
    heads: int = 4
    inner: int = 256
    question_dilations: tuple = (1, 2)
    rounds: tuple = (
        ((1, 2), (4,)),
        ((1,), (2,)),
        ((1,), (3,)),
    )  # per round dilations of the passage's convolutions before and after its look at the question
    after: tuple = (1,)
    theta: float = 10000.0
    common: int = 8000  # classes, the first ones, that also have a learned vector; all others share one


class Findings(NamedTuple):
    """What the reader found in a batch.

    `start` and `end` are logits [batch, passage], `none` [batch, 2] those of no answer, `evidence` [batch, question,
    EVIDENCE] how each word of the question is matched where the answer begins.
    """

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
        self.register_buffer("vectors", torch.tensor(tables["vectors"], dtype=torch.float32), persistent=False)
        self.widen = nn.Linear(self.vectors.shape[1], width, bias=False)
        nn.init.orthogonal_(self.widen.weight)  # lengths and angles between vectors stay at first
        self.own = nn.Parameter(torch.zeros(shape.common + 1, width))
        self.shapes = nn.Parameter(torch.randn(len(SHAPES), width) * 0.3)
        self.weights = nn.Parameter(torch.tensor(tables["weights"], dtype=torch.float32))

        def conv(dilations):
            return nn.ModuleList(GatedConvolution(width, d, dropout) for d in dilations)

        self.dropout = Dropout(dropout)
        self.question_in, self.question = nn.Linear(width, width), conv(shape.question_dilations)
        self.question_norm, self.question_score = Norm(width), nn.Linear(width, 1)
        self.align = nn.Linear(width, width)
        self.passage_in, self.condition = nn.Linear(3 * width + FEATURES, width), nn.Linear(width, width)
        self.rounds = nn.ModuleList(Round(shape, dilations, dropout) for dilations in shape.rounds)
        self.after = conv(shape.after)
        self.out_norm, self.passage_score = Norm(width), nn.Linear(width, 1)
        self.start_in, self.start_out = nn.Linear(2 * width, width), nn.Linear(width, 1)
        self.end_in, self.end_out = nn.Linear(3 * width + 2, width), nn.Linear(width, 1)
        self.proof_in = nn.Linear(2 * width + EVIDENCE, width)
        self.none_in, self.none_out = nn.Linear(4 * width, width), nn.Linear(width, 2)

    def embed(self, ids):
        """The public vector of a word, widened, and what is learned of common words and of the kind of piece."""
        rows = self.table_fold[ids]
        own = self.own[rows.clamp(max=self.shape.common)]
        return self.widen(self.vectors[rows]) + own + self.shapes[self.table_shape[ids]]

    def likeness(self, question, passage):
        """How like the words of question and passage are, 0 to 1, [batch, passage, question]."""
        asked, told = (F.normalize(self.vectors[self.table_fold[ids]], dim=2) for ids in (question, passage))
        return ((told @ asked.transpose(1, 2) - UNLIKE) / (1.0 - UNLIKE)).clamp(min=0.0)

    def features(self, question, passage):
        """Match features [batch, passage, FEATURES] and the share of the question that the passage has, [batch, 1]."""

        def classes(ids):
            return {"piece": ids, "fold": self.table_fold[ids], "stem": self.table_stem[ids]}

        def words(ids):
            return (ids > SEP_ID).float()

        ends = self.table_ends[passage]
        with torch.autocast("cpu", enabled=False):
            weights = self.weights[self.table_fold[question]]
            return match_features(
                classes(passage),
                classes(question),
                weights,
                words(passage),
                words(question),
                ends.cumsum(1) - ends,
                self.likeness(question, passage),
            )

    def aligned(self, x, question, mask):
        """For each token of x the mean of the question's vectors that are like it."""
        scores = F.relu(self.align(x)) @ F.relu(self.align(question)).transpose(1, 2) * self.shape.width**-0.5
        return (scores + ((1.0 - mask) * HIDDEN)[:, None]).softmax(-1).to(x.dtype) @ question

    def encode(self, question, passage, question_mask, passage_mask):
        """Encoded passage and question, [batch, tokens, width], and the question's summary [batch, 1, width].

        The fourth value is the evidence of match_features.
        """
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
        """Logits of no answer [batch, 1, 2], from how each word of the question is matched where the answer begins."""
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
        begun = (
            (chances[:, None] @ decays(passage.shape[1]).transpose(1, 2)).squeeze(2).transpose(1, 2)
        )  # [batch, passage, 2]
        first = chances.to(x.dtype) @ x
        end = (
            self.end_out(F.silu(self.end_in(torch.cat([x, x * summary, x * first, begun.to(x.dtype)], 2)))).float()
            + outside
        )
        chances = chances.detach()
        evidence = torch.stack([(chances @ near)[:, 0] for near in found[:-1]] + [found[-1]], dim=2)
        none = self.no_answer(x, asked, summary, chances, evidence, masks)
        return Findings(start[..., 0], end[..., 0], none[:, 0], evidence)

    def forward(self, question, passage):
        """Start and end logits, two [batch, 1 + passage]; index 0 is no answer."""
        found = self.find(question, passage)
        return [
            torch.cat([found.none[:, side, None], logits], 1) for side, logits in enumerate((found.start, found.end))
        ]
