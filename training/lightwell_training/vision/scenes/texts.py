"""Captions of scenes, and training examples of captions and questions, in several wordings.

START and END (facts/kinds.py) enclose what the picture alone can tell.
"""

import re
from random import Random
from typing import NamedTuple

from lightwell_training.facts.kinds import answer
from lightwell_training.vision.scenes.questions import (
    questions,
)
from lightwell_training.vision.scenes.scenes import CELLS, COLOURS, SIZES, make_scene
from lightwell_training.vision.scenes.shapes import SHAPES
from lightwell_training.vision.scenes.wording import PLACES, article, joined, named

DESCRIBE = "Describe the picture.\n"  # what evaluation asks

CAPTION_PROMPTS = (
    DESCRIBE,
    DESCRIBE,
    "What does the picture show?\n",
    "What do you see?\n",
    "Caption:",
    "\n",
    "",
    "User: Describe this image.\nAssistant:",
    "Question: What is in the picture?\nAnswer:",
)
LIST_PROMPTS = ("List the objects.\n", "Objects:", "What is where?\n")
INTRODUCTIONS = ("Look at this picture.\n", "Picture:", "Here is a picture:\n", "User: ", "This is a scene.\n")
SEEN_AS = re.compile(rf"({'|'.join(SIZES)}) ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})\b")
FOUND_AT = re.compile(r"\b(top left|top right|top|bottom left|bottom right|bottom|left|right|centre)\b", re.IGNORECASE)


class Example(NamedTuple):
    """What stands before and behind the picture's 144 positions, with marks."""

    before: str
    after: str


def sentence(scene, opening):
    """The caption as a sentence, objects in reading order, each with all its attributes."""
    text = opening + joined([f"{article(named(thing))} {PLACES[thing.cell]}" for thing in scene.things]) + "."
    return text[0].upper() + text[1:]


def listing(scene):
    """The objects of a scene as a list of place and object."""
    return "; ".join(f"{CELLS[thing.cell]}: {named(thing)}" for thing in scene.things) + "."


def caption(random, scene):
    """A prompt for a caption and the caption."""
    if random.random() < 0.15:
        return random.choice(LIST_PROMPTS), listing(scene)
    prompt = random.choice(CAPTION_PROMPTS)
    opening = "" if prompt == DESCRIBE else random.choice(("", "", "there is ", "the picture shows ", "I see "))
    return prompt, sentence(scene, opening)


def read_caption(text):
    """(size, colour, shape, cell) of each object that a caption names, in its order.

    The place is None where it is missing.
    """
    seen = [match.groups() for match in SEEN_AS.finditer(text)]
    found = [CELLS.index(match.group().lower()) for match in FOUND_AT.finditer(text)]
    return [(*attributes, found[index] if index < len(found) else None) for index, attributes in enumerate(seen)]


def write_questions(random, asked):
    """Questions and marked answers, line by line."""
    ask, reply, between = random.choice(
        [("Question", "Answer", "\n")] * 4
        + [("Question", "Answer", " "), ("Q", "A", "\n"), ("User", "Assistant", "\n")]
    )
    return "\n".join(f"{ask}: {one.question}{between}{reply}:{answer(f' {one.answer}')}" for one in asked)


def write(random, scene):
    """A training example: a caption, questions, or both.

    The picture mostly comes first, otherwise after an introduction or a question.
    """
    way = random.random()
    if way < 0.12:
        asked = questions(random, scene, 3)
        first = asked[0]
        rest = f"\n{write_questions(random, asked[1:])}" if asked[1:] else ""
        return Example(f"Question: {first.question}\n", f"\nAnswer:{answer(f' {first.answer}')}{rest}")
    before = random.choice(INTRODUCTIONS) if random.random() < 0.2 else ""
    prompt, text = caption(random, scene)
    described = prompt + answer(f" {text}" if prompt.endswith(":") else text)
    if way < 0.4:
        return Example(before, described)
    if way < 0.6:
        return Example(
            before, f"{described}\n{write_questions(random, questions(random, scene, random.choice((1, 2, 3))))}"
        )
    line = random.choice(("", "", "\n"))
    return Example(before, line + write_questions(random, questions(random, scene, random.choice((3, 4, 5)))))


def make_example(seed, held_out=False):
    """Scene and text of one seed, the same whenever it is asked for."""
    random = Random(seed)
    scene = make_scene(random, held_out)
    return scene, write(random, scene), random
