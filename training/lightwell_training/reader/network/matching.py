"""Match features: which words of the question a passage has, and how near.

They are computed, not learned, except for the weight of a word.
"""

import torch

REACHES = (2.0, 6.0, 20.0)  # tokens over which nearness falls to 1/e
FEATURES = 5 + 4 * (len(REACHES) + 1) + 3
EVIDENCE = len(REACHES) + 2  # kinds of evidence for a word of the question
UNLIKE = 0.3  # cosine of two words' vectors up to which they are not like each other at all


def nearness(length):
    """exp(-distance / reach) between positions, [reaches, length, length]."""
    at = torch.arange(length, dtype=torch.float32)
    return torch.exp(-(at[:, None] - at[None]).abs() / torch.tensor(REACHES)[:, None, None])


def neighbours(same):
    """1.0 for two successive tokens that equal two successive ones of the question, [batch, passage, 1]."""
    pairs = (same[:, :-1, :-1] * same[:, 1:, 1:]).sum(2).clamp(max=1.0)
    none = torch.zeros_like(pairs[:, :1])
    return (torch.cat([pairs, none], 1) + torch.cat([none, pairs], 1)).clamp(max=1.0)[..., None]


def match_features(passage, question, weights, passage_mask, question_mask, sentences, likeness):
    """Features of every passage token [batch, passage, FEATURES], and evidence for the words of the question.

    Evidence is EVIDENCE - 1 tensors [batch, passage, question], how near each word is to every token, and whether it is
    anywhere, [batch, question].

    `passage` and `question` are dicts of int64 class ids `fold`, `stem` and `piece`, [batch, length]; `weights` [batch,
    question] is how much a word of the question counts; masks are 1.0 for words (no padding, no special tokens);
    `sentences` [batch, passage] counts the sentence ends before a token; `likeness` is 0 to 1, [batch, passage,
    question].
    """
    both = passage_mask[:, :, None] * question_mask[:, None]
    same = {
        kind: (passage[kind][:, :, None] == question[kind][:, None]).float() * both
        for kind in ("piece", "fold", "stem")
    }
    columns = [same[kind].sum(2, keepdim=True).clamp(max=1.0) for kind in ("piece", "fold", "stem")]
    weights = (weights * question_mask)[:, :, None]
    columns += [(same["stem"] @ weights).clamp(max=1.0), neighbours(same["stem"])]
    share = weights / (weights.sum(1, keepdim=True) + 1e-3)
    alike = (sentences[:, :, None] == sentences[:, None]).float()
    outside = 1.0 - passage_mask[:, :, None]
    near = [*nearness(passage["fold"].shape[1]), alike]
    evidence = [(close @ same["stem"]).clamp(max=1.0) for close in near]
    like = torch.maximum(likeness * both, same["stem"])
    columns += [(like * weights.transpose(1, 2)).amax(2, keepdim=True), like @ share]
    liked = [(close @ like).clamp(max=1.0) for close in near]
    for matched in (*evidence, *liked):
        found = matched @ share  # share of the question's weight that stands near
        columns += [found, found - (found - outside).amax(1, keepdim=True)]
    anywhere = same["stem"].sum(1).clamp(max=1.0)
    columns.append((anywhere[:, None] @ share).expand(-1, passage["fold"].shape[1], -1))
    return torch.cat(columns, 2) * passage_mask[:, :, None], [*evidence, anywhere]
