"""The losses: pairs that belong together are nearer than others, scored pairs have the order of their scores."""

import torch
import torch.nn.functional as F

SCALES = (20.0, 20.0, 30.0)  # of cosines, per view; at full length they lie closer together


def views(embedding, shape):
    """The parts that must stand alone, as unit vectors: the compact one, the dense one, the whole."""
    return [
        F.normalize(embedding[:, : shape.compact], dim=-1),
        F.normalize(embedding[:, : shape.dense], dim=-1),
        embedding,
    ]


def pair_loss(a, b, scale):
    """InfoNCE both ways on unit vectors [pairs, size]."""
    scores, right = scale * a @ b.T, torch.arange(len(a))
    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2


def label_loss(a, labels, scale):
    """Supervised contrastive loss: every other text of the same label is right."""
    itself = torch.eye(len(a), dtype=torch.bool)
    scores = (scale * a @ a.T).masked_fill(itself, -1e4)
    right = (labels[:, None] == labels[None]) & ~itself
    return -(F.log_softmax(scores, -1) * right).sum(1).div(right.sum(1)).mean()


def order_loss(a, b, scores, scale):
    """CoSENT: a pair of higher score has the higher cosine."""
    cosines = scale * (a * b).sum(-1)
    wrong = (cosines[:, None] - cosines[None])[scores[:, None] < scores[None]]
    return torch.logsumexp(torch.cat([wrong, wrong.new_zeros(1)]), 0)


def loss_of(sides, target, shape):
    """Mean over the views. `sides`: embeddings per side; `target`: labels for one side, scores or None for two."""
    parts = [views(side, shape) for side in sides]
    losses = []
    for scale, view in zip(SCALES, zip(*parts)):
        if len(view) == 1:
            losses.append(label_loss(view[0], target, scale))
        else:
            losses.append(pair_loss(*view, scale) if target is None else order_loss(*view, target, scale))
    return torch.stack(losses).mean()
