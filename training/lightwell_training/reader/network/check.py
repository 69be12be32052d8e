"""The check, which says whether the text answers the question at all.

A small network over what the reader found, trained after it and without a change to it.
"""

import torch
import torch.nn.functional as F
from torch import nn

from lightwell_training.reader.data.pieces import SEP_ID, SHAPES
from lightwell_training.reader.network.layers import HIDDEN
from lightwell_training.reader.network.matching import EVIDENCE

NAMES, NUMBERS = ("capital", "capital inside", "capitals"), ("year", "digits", "digits inside")
WORD = EVIDENCE + 4  # columns for a word of the question
WHOLE = 4 + EVIDENCE + 3  # columns for question and passage
SHORT = 40  # words under which a passage counts as short
INNER = 64


def one_of(names):
    """1.0 for the shapes in `names`, [SHAPES]."""
    return torch.tensor([float(name in names) for name in SHAPES])


def spread(logits):
    """Best logit, and log of the sum over all places, both [batch].

    All places together say more about whether there is an answer than the best one.
    """
    return logits.amax(1), torch.logsumexp(logits, 1)


def columns(reader, question, passage, found):
    """Inputs of the check: `asked` [batch, question, WORD] and `whole` [batch, WHOLE].

    For each word of the question: where it is matched, how much it counts, whether it is a name or a number.
    """
    words, read = (question > SEP_ID).float(), (passage > SEP_ID).float()
    weights = reader.weights[reader.table_fold[question]] * words
    share = weights / (weights.sum(1, keepdim=True) + 1e-3)
    kinds = [one_of(names)[reader.table_shape[question]] for names in (NAMES, NUMBERS)]
    kinds[0] = kinds[0] * (torch.arange(question.shape[1]) > 1)  # the first word always has a capital
    asked = torch.cat([found.evidence, torch.stack([weights, share, *kinds], 2)], 2)
    (start, starts), (end, ends) = spread(found.start), spread(found.end)
    sizes = [mask.sum(1).clamp(min=1.0) for mask in (read, words)]
    whole = torch.stack(
        [
            starts - found.none[:, 0],
            ends - found.none[:, 1],
            start - starts,
            end - ends,
            *(found.evidence * share[..., None]).sum(1).unbind(1),
            sizes[0].log(),
            sizes[1].log(),
            (1.0 - sizes[0] / SHORT).clamp(min=0.0),
        ],
        1,
    )
    return asked, whole


class Check(nn.Module):
    """Log odds that there is an answer."""

    def __init__(self):
        super().__init__()
        self.proof = nn.Linear(WORD, INNER)
        self.mix = nn.Linear(2 * INNER + WHOLE, INNER)
        self.out = nn.Linear(INNER, 1)
        self.direct = nn.Linear(WHOLE, 1)
        self.register_buffer("middle", torch.zeros(WHOLE))
        self.register_buffer("scale", torch.ones(WHOLE))
        with torch.no_grad():  # begins as what the reader says by itself
            for parameter in (self.out.weight, self.out.bias, self.direct.weight, self.direct.bias):
                parameter.zero_()
            self.direct.weight[0, :2] = 0.35

    def forward(self, asked, whole, mask):
        """Log odds that there is an answer, [batch].

        `asked` is [batch, question, WORD], `whole` [batch, WHOLE], `mask` [batch, question] with 1.0 for tokens of the
        question.
        """
        proof, mask = F.silu(self.proof(asked)), mask[..., None]
        mean = (proof * mask).sum(1) / mask.sum(1)
        most = (proof + (1.0 - mask) * HIDDEN).amax(1)
        mixed = F.silu(self.mix(torch.cat([mean, most, (whole - self.middle) * self.scale], 1)))
        return (self.out(mixed) + self.direct(whole))[:, 0]


class Checked(nn.Module):
    """A reader whose logits of no answer are those of the check.

    Best start + best end, less both logits of no answer, are the check's log odds.
    """

    def __init__(self, reader, check):
        super().__init__()
        self.reader, self.check = reader, check

    def forward(self, question, passage):
        """As Reader.forward."""
        found = self.reader.find(question, passage)
        odds = self.check(*columns(self.reader, question, passage, found), (question > 0).float())
        return [torch.cat([(logits.amax(1) - odds / 2)[:, None], logits], 1) for logits in (found.start, found.end)]
