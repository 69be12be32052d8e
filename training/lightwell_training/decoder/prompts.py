"""Prompts that people might type: what a decoder says to them, and which words it says that for."""

import json
import math
import re

import torch
import torch.nn.functional as F

from lightwell_training.repository import everyday_prompts, golden_prompts

WORD = re.compile(r"\w+(?:['’]\w+)*")
FACTOR = 0.1  # AtMan: attention to a word is scaled by this


@torch.no_grad()
def continue_greedily(model, tokenizer, prompt, count):
    """Text of `count` tokens after `prompt`."""
    ids = tokenizer.encode(prompt).ids
    length = len(ids)
    for _ in range(count):
        ids.append(int(model(torch.tensor([ids]))[0, -1].argmax()))
    return tokenizer.decode(ids[length:], skip_special_tokens=False)


@torch.no_grad()
def explain(model, tokenizer, prompt, target):
    """AtMan: (word, start, score) for every word of the prompt.

    The score is the rise of the target's cross-entropy, in nats, when the word is suppressed.
    """
    encoding = tokenizer.encode(prompt)
    target_ids = tokenizer.encode(target).ids
    words = list(WORD.finditer(prompt))
    ids = torch.tensor([encoding.ids + target_ids])
    bias = torch.zeros(len(words) + 1, 1, 1, ids.shape[1])
    for row, word in enumerate(words, start=1):
        for position, (start, stop) in enumerate(encoding.offsets):
            if stop > word.start() and start < word.end():
                bias[row, 0, 0, position] = math.log(FACTOR)
    first = len(encoding.ids)
    logits = model(ids.expand(len(bias), -1), bias)[:, first - 1 : -1].float()
    losses = F.cross_entropy(logits.transpose(1, 2), ids[:, first:].expand(len(bias), -1), reduction="none").sum(1)
    return [(word.group(), word.start(), score) for word, score in zip(words, (losses[1:] - losses[0]).tolist())]


def prompt_rows(model, tokenizer):
    """A row for each golden prompt: what the greedy continuation said and whether it is the answer.

    Also the three words whose suppression costs the answer most.
    """
    for row in json.loads(golden_prompts().read_text(encoding="utf-8")):
        said = continue_greedily(model, tokenizer, row["prompt"], len(tokenizer.encode(row["answer"]).ids) + 2)
        right = said.strip().startswith(row["answer"].strip())
        top = sorted(explain(model, tokenizer, row["prompt"], row["answer"]), key=lambda item: -item[2])[:3]
        yield {
            "id": row["id"],
            "right": right,
            "said": said,
            "explained": top[0][0] in row["supporting"],
            "top": [(word, round(score, 2)) for word, _, score in top],
        }


@torch.no_grad()
def says(model, tokenizer, prompt, answer):
    """Whether each token of the answer is the likeliest one behind the prompt."""
    before, wanted = tokenizer.encode(prompt).ids, tokenizer.encode(answer).ids
    best = model(torch.tensor([before + wanted]))[0].argmax(-1).tolist()
    return best[len(before) - 1 : -1] == wanted


def everyday_figures(model, tokenizer):
    """Everyday prompts by kind: how many there are, and how many the model answers."""
    figures = {}
    for row in json.loads(everyday_prompts().read_text(encoding="utf-8")):
        kind = figures.setdefault(row["kind"], {"prompts": 0, "right": 0})
        kind["prompts"] += 1
        kind["right"] += says(model, tokenizer, row["prompt"], row["answer"])
    return figures
