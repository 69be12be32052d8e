"""Captions and questions about scenes, in several wordings. START and END (of kinds.py) enclose what the picture alone can tell."""

import re
from random import Random
from typing import NamedTuple

from kinds import answer
from scenes import CELLS, COLOURS, HELD_OUT, SEEN, SIZES, make_scene
from shapes import DIGITS, SHAPES

PLACES = ("at the top left", "at the top", "at the top right", "on the left", "in the centre", "on the right", "at the bottom left", "at the bottom", "at the bottom right")
NUMBERS = ("0", "1", "2", "3", "4")
PLURALS = {"cross": "crosses", **{digit: f"{digit}s" for digit in DIGITS}}
DESCRIBE = "Describe the picture.\n"  # what evaluation asks

CAPTION_PROMPTS = (DESCRIBE, DESCRIBE, "What does the picture show?\n", "What do you see?\n", "Caption:", "\n", "",
                   "User: Describe this image.\nAssistant:", "Question: What is in the picture?\nAnswer:")
LIST_PROMPTS = ("List the objects.\n", "Objects:", "What is where?\n")
INTRODUCTIONS = ("Look at this picture.\n", "Picture:", "Here is a picture:\n", "User: ", "This is a scene.\n")
SEEN_AS = re.compile(rf"({'|'.join(SIZES)}) ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})\b")
FOUND_AT = re.compile(r"\b(top left|top right|top|bottom left|bottom right|bottom|left|right|centre)\b", re.IGNORECASE)


class Example(NamedTuple):
    """What stands before and behind the picture's 144 positions, with marks."""

    before: str
    after: str


class Asked(NamedTuple):
    """One question with its answer; `about` is the object that the answer is read from, where it is one."""

    kind: str
    question: str
    answer: str
    about: object = None


def article(words):
    return f"an {words}" if re.match(r"[aeiou]|8", words) else f"a {words}"


def plural(shape):
    return PLURALS.get(shape, f"{shape}s")


def named(thing):
    return f"{thing.size} {thing.colour} {thing.shape}"


def joined(parts):
    """a; a and b; a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentence(scene, opening):
    """The caption as a sentence, objects in reading order, each with all its attributes."""
    text = opening + joined([f"{article(named(thing))} {PLACES[thing.cell]}" for thing in scene.things]) + "."
    return text[0].upper() + text[1:]


def listing(scene):
    return "; ".join(f"{CELLS[thing.cell]}: {named(thing)}" for thing in scene.things) + "."


def caption(random, scene):
    """A prompt for a caption and the caption."""
    if random.random() < 0.15:
        return random.choice(LIST_PROMPTS), listing(scene)
    prompt = random.choice(CAPTION_PROMPTS)
    opening = "" if prompt == DESCRIBE else random.choice(("", "", "there is ", "the picture shows ", "I see "))
    return prompt, sentence(scene, opening)


def read_caption(text):
    """(size, colour, shape, cell) of each object that a caption names, in its order; the place is None where it is missing."""
    seen = [match.groups() for match in SEEN_AS.finditer(text)]
    found = [CELLS.index(match.group().lower()) for match in FOUND_AT.finditer(text)]
    return [(*attributes, found[index] if index < len(found) else None) for index, attributes in enumerate(seen)]


def singles(scene, *names):
    """Objects that these attributes together single out."""
    values = [tuple(getattr(thing, name) for name in names) for thing in scene.things]
    return [thing for thing, value in zip(scene.things, values) if values.count(value) == 1]


def ask_colour(random, scene):
    for thing in random.sample(singles(scene, "shape"), min(1, len(singles(scene, "shape")))):
        word = random.choice(("colour", "colour", "color"))
        yield Asked("colour", random.choice((f"What {word} is the {thing.shape}?", f"Which {word} does the {thing.shape} have?")), thing.colour, thing)


def ask_shape(random, scene):
    for thing in random.sample(singles(scene, "colour"), min(1, len(singles(scene, "colour")))):
        yield Asked("shape", random.choice((f"What is {thing.colour}?", f"Which shape is {thing.colour}?", f"What is the {thing.colour} thing?")), thing.shape, thing)


def ask_size(random, scene):
    for thing in random.sample(singles(scene, "shape"), min(1, len(singles(scene, "shape")))):
        yield Asked("size", random.choice((f"How big is the {thing.shape}?", f"Is the {thing.shape} small or large?")), thing.size, thing)


def ask_place(random, scene):
    for thing in random.sample(singles(scene, "shape", "colour"), min(1, len(singles(scene, "shape", "colour")))):
        alone = thing in singles(scene, "shape") and random.random() < 0.7
        yield Asked("place", f"Where is the {'' if alone else thing.colour + ' '}{thing.shape}?", PLACES[thing.cell], thing)


def ask_cell(random, scene):
    taken = {thing.cell: thing for thing in scene.things}
    cell = random.choice(list(taken)) if random.random() < 0.8 else random.randrange(9)
    said = article(named(taken[cell])) if cell in taken else "nothing"
    yield Asked("cell", random.choice((f"What is {PLACES[cell]}?", f"What do you see {PLACES[cell]}?")), said, taken.get(cell))


def absent_pair(random, scene, like):
    """Shape and colour of no object, out of the scene's own pool, so that a held-out pair is not known by never being there.

    Half the time the shape of the object `like` in another colour, else a shape that is nowhere in the scene.
    """
    present = {(thing.shape, thing.colour) for thing in scene.things}
    pool = [pair for pair in (sorted(HELD_OUT) if present & HELD_OUT else SEEN) if pair not in present]
    recoloured = [pair for pair in pool if pair[0] == like.shape]
    elsewhere = [pair for pair in pool if all(pair[0] != thing.shape for thing in scene.things)]
    return random.choice(recoloured if recoloured and random.random() < 0.5 else elsewhere)


def ask_presence(random, scene):
    """Half of the answers are yes. Without a colour, what is absent is a shape."""
    thing, present, with_colour = random.choice(scene.things), random.random() < 0.5, random.random() < 0.5
    shape, colour = (thing.shape, thing.colour) if present else absent_pair(random, scene, thing)
    with_colour = with_colour or (not present and shape == thing.shape)
    what = article(f"{colour} {shape}" if with_colour else shape)
    yield Asked("presence", random.choice((f"Is there {what}?", f"Do you see {what}?", f"Does the picture show {what}?")), "yes" if present else "no", thing if present else None)


def ask_number(random, scene):
    thing, way = random.choice(scene.things), random.random()
    if way < 0.45:
        shape = thing.shape if random.random() < 0.8 else random.choice(SHAPES)
        what, count = plural(shape), sum(other.shape == shape for other in scene.things)
    elif way < 0.7:
        what, count = f"{thing.colour} objects", sum(other.colour == thing.colour for other in scene.things)
    else:
        what, count = random.choice(("objects", "shapes", "things")), len(scene.things)
    yield Asked("number", f"How many {what} are there?", NUMBERS[count])


def ask_background(random, scene):
    yield Asked("background", random.choice(("What colour is the background?", "What is the colour of the background?", "What color is the background?")), scene.background)


KINDS = (ask_colour, ask_shape, ask_size, ask_place, ask_cell, ask_cell, ask_presence, ask_number, ask_background)


def questions(random, scene, count):
    """Up to `count` questions of different kinds, one at least: three like things leave little to ask, but what stands in a place can always be."""
    return ([asked for kind in random.sample(KINDS, count) for asked in kind(random, scene)]
            or [asked for kind in KINDS for asked in kind(random, scene)][:1])


def write_questions(random, asked):
    """Questions and marked answers, line by line."""
    ask, reply, between = random.choice([("Question", "Answer", "\n")] * 4 + [("Question", "Answer", " "), ("Q", "A", "\n"), ("User", "Assistant", "\n")])
    return "\n".join(f"{ask}: {one.question}{between}{reply}:{answer(f' {one.answer}')}" for one in asked)


def write(random, scene):
    """A training example: a caption, questions, or both; the picture mostly at the beginning, else behind an introduction or a question."""
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
        return Example(before, f"{described}\n{write_questions(random, questions(random, scene, random.choice((1, 2, 3))))}")
    line = random.choice(("", "", "\n"))
    return Example(before, line + write_questions(random, questions(random, scene, random.choice((3, 4, 5)))))


def make_example(seed, held_out=False):
    """Scene and text of one seed, the same whenever it is asked for."""
    random = Random(seed)
    scene = make_scene(random, held_out)
    return scene, write(random, scene), random
