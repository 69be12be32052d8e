"""The losses: pairs that belong together are nearer than others, the cosines of scored pairs follow the scores."""

import torch
import torch.nn.functional as F

SCALES = (20.0, 20.0, 30.0)  # of cosines, per view; at full length they lie closer together
SCORE_WEIGHT = 5.0  # so that its gradients are as large as those of the other losses


def views(embedding, shape):
    """The parts that must stand alone, as unit vectors: the compact one, the dense one, the whole."""
    return [
        F.normalize(embedding[:, : shape.compact], dim=-1),
        F.normalize(embedding[:, : shape.dense], dim=-1),
        embedding,
    ]


def pair_loss(a, b, others, scale):
    """InfoNCE both ways on unit vectors [pairs, size]; `others` [texts, size] are further wrong answers for `a`."""
    scores, right = scale * a @ b.T, torch.arange(len(a))
    among = torch.cat([scores, scale * a @ others.T], 1)
    return (F.cross_entropy(among, right) + F.cross_entropy(scores.T, right)) / 2


def label_loss(a, labels, scale):
    """Supervised contrastive loss: every other text of the same label is right."""
    itself = torch.eye(len(a), dtype=torch.bool)
    scores = (scale * a @ a.T).masked_fill(itself, -1e4)
    right = (labels[:, None] == labels[None]) & ~itself
    return -(F.log_softmax(scores, -1) * right).sum(1).div(right.sum(1)).mean()


def score_loss(a, b, scores):
    """How far the cosines of pairs are from a line through their scores: 1 less Pearson's correlation, times a weight.

    A loss on wrongly ordered pairs, such as CoSENT, rests on the few worst pairs and learned next to nothing here.
    """
    cosines, scores = ((values - values.mean()) for values in ((a * b).sum(-1), scores))
    return SCORE_WEIGHT * (1 - (cosines * scores).sum() / (cosines.norm() * scores.norm() + 1e-6))


def loss_of(sides, target, shape):
    """Mean over the views.

    `sides`: embeddings per side, those of hard negatives third; `target`: labels for one side, scores or None for
    more.
    """
    losses = []
    for scale, view in zip(SCALES, zip(*[views(side, shape) for side in sides])):
        if len(view) == 1:
            losses.append(label_loss(view[0], target, scale))
        elif target is None:
            losses.append(pair_loss(*view, *([view[1][:0]] if len(view) == 2 else []), scale))
        else:
            losses.append(score_loss(*view, target))
    return torch.stack(losses).mean()
