"""Figures on scenes: captions, questions, and where AtMan says that an answer was read."""

import math
from collections import Counter, defaultdict
from random import Random

import numpy as np
import torch
import torch.nn.functional as F

from lightwell_training.decoder.prompts import FACTOR
from lightwell_training.vision.network import TOKENS, to_pixels
from lightwell_training.vision.scenes.questions import (
    Asked,
    ask_cell,
    ask_colour,
    ask_place,
    ask_shape,
    ask_size,
    questions,
)
from lightwell_training.vision.scenes.scenes import TILES, make_scene, render, tiles_of
from lightwell_training.vision.scenes.texts import DESCRIBE, read_caption
from lightwell_training.vision.train_tiles import TESTS

ATTRIBUTES = ("size", "colour", "shape", "cell")
CAPTION_TOKENS, ANSWER_TOKENS = 72, 12


def scene_of(number, held_out):
    """Test scene of a number and its picture; training never reaches these seeds."""
    random = Random(TESTS + number)
    scene = make_scene(random, held_out)
    return scene, render(random, scene), random


def continue_batch(sessions, pixels, prompt, stops, count):
    """Greedy ids [rows, up to count] behind pictures [rows, 3, side, side] and prompts of one length [rows, tokens]."""
    rows = sessions.rows(pixels, np.concatenate([np.zeros((len(prompt), TOKENS), np.int64), prompt], axis=1), 0)
    said, past, length = np.zeros((len(prompt), 0), np.int64), None, rows.shape[1]
    while said.shape[1] < count and not np.isin(said, stops).any(1).all():
        if past:
            rows, length = sessions.table.run(None, {"input_ids": said[:, -1:]})[0], length + 1
        positions = np.arange(length - rows.shape[1], length)[None].repeat(len(prompt), 0)
        logits, *past = sessions.decode(rows, np.ones((len(prompt), length), np.int64), positions, past)
        said = np.concatenate([said, logits[:, -1:].argmax(-1)], axis=1)
    return said


def continuations(sessions, tokenizer, pictures, prompts, count, batch=16):
    """First line of the greedy text behind each picture and prompt, of the exported graphs.

    Prompts of one length run together.
    """
    texts, groups, stops = [None] * len(prompts), defaultdict(list), [0, tokenizer.encode("\n").ids[0]]
    for index, prompt in enumerate(prompts):
        groups[len(tokenizer.encode(prompt).ids)].append(index)
    for part in (members[at : at + batch] for members in groups.values() for at in range(0, len(members), batch)):
        pixels = to_pixels(np.stack([pictures[index] for index in part])).numpy()
        said = continue_batch(
            sessions, pixels, np.array([tokenizer.encode(prompts[index]).ids for index in part]), stops, count
        )
        for index, row in zip(part, said):
            ends = np.flatnonzero(np.isin(row, stops))
            texts[index] = tokenizer.decode(row[: ends[0] if len(ends) else None].tolist()).strip()
    return texts


def majority(things):
    """The most frequent value of each attribute among these very objects: no constant answer does better."""
    return tuple(Counter(getattr(thing, name) for thing in things).most_common(1)[0][0] for name in ATTRIBUTES)


def caption_figures(sessions, tokenizer, held_out, count):
    """Exact attributes of greedy captions.

    The n-th object named is compared with the n-th in reading order. A missing object is wrong.
    """
    scenes = [scene_of(number, held_out) for number in range(count)]
    texts = continuations(
        sessions, tokenizer, [picture for _, picture, _ in scenes], [DESCRIBE] * count, CAPTION_TOKENS
    )
    guess, right, guessed = majority([thing for scene, _, _ in scenes for thing in scene.things]), Counter(), Counter()
    total = extra = 0
    for (scene, _, _), text in zip(scenes, texts):
        said, exact = read_caption(text), 0
        extra += max(0, len(said) - len(scene.things))
        for index, thing in enumerate(scene.things):
            values, total = tuple(getattr(thing, name) for name in ATTRIBUTES), total + 1
            hits = [a == b for a, b in zip(values, said[index] if index < len(said) else (None,) * 4)]
            right.update(name for name, hit in zip(ATTRIBUTES, hits) if hit)
            guessed.update(name for name, a, b in zip(ATTRIBUTES, values, guess) if a == b)
            exact += all(hits)
        right["object"] += exact
        right["caption"] += exact == len(scene.things) == len(said)

    def share(counts, name):
        return round(counts[name] / total, 4)

    figures = {name: {"right": share(right, name), "majority": share(guessed, name)} for name in ATTRIBUTES}

    def mean(key):
        return round(sum(figures[name][key] for name in ATTRIBUTES) / len(ATTRIBUTES), 4)

    figures["attributes"] = {"right": mean("right"), "majority": mean("majority")}
    return {
        **figures,
        "whole_objects": share(right, "object"),
        "whole_captions": round(right["caption"] / count, 4),
        "objects": total,
        "objects_too_many": extra,
        "examples": texts[:3],
    }


def question_figures(sessions, tokenizer, held_out, count):
    """Share of questions answered exactly by kind, beside the most frequent answer of the kind."""
    asked, pictures = [], []
    for number in range(count):
        scene, picture, random = scene_of(number, held_out)
        for one in questions(random, scene, 3):
            asked.append(one)
            pictures.append(picture)
    texts = continuations(
        sessions, tokenizer, pictures, [f"Question: {one.question}\nAnswer:" for one in asked], ANSWER_TOKENS
    )
    rows = defaultdict(list)
    for one, text in zip(asked, texts):
        rows[one.kind].append((one.answer, text))
    figures = {}
    for kind, pairs in sorted(rows.items()):
        right, usual = sum(a == b for a, b in pairs), Counter(a for a, _ in pairs).most_common(1)[0][1]
        figures[kind] = {
            "right": round(right / len(pairs), 4),
            "majority": round(usual / len(pairs), 4),
            "questions": len(pairs),
        }
    everything = [a == b for pairs in rows.values() for a, b in pairs]
    return {**figures, "all": round(sum(everything) / len(everything), 4)}


@torch.no_grad()
def tile_scores(network, tokenizer, picture, prompt, target, batch=48):
    """AtMan: rise of the target's cross-entropy in nats when a tile is suppressed in every layer, float64 [12, 12]."""
    ids = tokenizer.encode(prompt).ids
    wanted = tokenizer.encode(target).ids
    row = torch.tensor([[0] * TOKENS + ids + wanted])
    embeddings = network.embeddings(row, network.encoder(to_pixels(picture[None])), torch.zeros(1, dtype=torch.long))
    bias = torch.zeros(TOKENS + 1, 1, 1, row.shape[1])
    bias[torch.arange(1, TOKENS + 1), 0, 0, torch.arange(TOKENS)] = math.log(FACTOR)
    losses = []
    for part in bias.split(batch):
        logits = network.logits_and_sharpness(embeddings.expand(len(part), -1, -1), part)[0][
            :, TOKENS + len(ids) - 1 : -1
        ]
        losses.append(
            F.cross_entropy(
                logits.transpose(1, 2), row[:, TOKENS + len(ids) :].expand(len(part), -1), reduction="none"
            ).sum(1)
        )
    losses = torch.cat(losses).double()
    return (losses[1:] - losses[0]).numpy().reshape(TILES, TILES)


def attention_figures(network, tokenizer, held_out, count):
    """Share of the positive scores that lies on the tiles of the object that a question is about.

    Beside it the share of tiles that the object covers.
    """
    masses, areas, hits, kinds = [], [], [], defaultdict(list)
    for number in range(count):
        scene, picture, random = scene_of(number, held_out)
        makers = [ask_colour, ask_shape, ask_size, ask_place, ask_cell]
        found = [one for maker in random.sample(makers, len(makers)) for one in maker(random, scene) if one.about]
        if not found:
            continue
        one: Asked = found[0]
        scores = np.maximum(
            tile_scores(network, tokenizer, picture, f"Question: {one.question}\nAnswer:", f" {one.answer}"), 0
        )
        (top, bottom), (left, right) = tiles_of(one.about.box)
        masses.append(float(scores[top:bottom, left:right].sum() / max(scores.sum(), 1e-12)))
        areas.append((bottom - top) * (right - left) / TOKENS)
        row, column = np.unravel_index(scores.argmax(), scores.shape)
        hits.append(top <= row < bottom and left <= column < right)
        kinds[one.kind].append(masses[-1] / areas[-1])
    return {
        "scenes": len(masses),
        "mass": round(float(np.mean(masses)), 4),
        "area": round(float(np.mean(areas)), 4),
        "mass_over_area": round(float(np.mean(masses) / np.mean(areas)), 2),
        "top_tile_on_object": round(float(np.mean(hits)), 4),
        "by_kind": {kind: round(float(np.mean(ratios)), 2) for kind, ratios in sorted(kinds.items())},
    }
