"""Questions about a scene, with their answers."""

from typing import NamedTuple

from lightwell_training.vision.scenes.scenes import HELD_OUT, SEEN
from lightwell_training.vision.scenes.shapes import SHAPES
from lightwell_training.vision.scenes.wording import NUMBERS, PLACES, article, named, plural


class Asked(NamedTuple):
    """One question with its answer; `about` is the object that the answer is read from, where it is one."""

    kind: str
    question: str
    answer: str
    about: object = None


def singles(scene, *names):
    """Objects that these attributes together single out."""
    values = [tuple(getattr(thing, name) for name in names) for thing in scene.things]
    return [thing for thing, value in zip(scene.things, values) if values.count(value) == 1]


def any_single(random, scene, *names):
    """One of the objects that these attributes together single out, in a list; an empty list where none is."""
    found = singles(scene, *names)
    return random.sample(found, min(1, len(found)))


def ask_attribute(random, scene, asked, by, wordings):
    """The attribute `asked` of an object that its attribute `by` singles out; nothing where none is."""
    for thing in any_single(random, scene, by):
        yield Asked(asked, random.choice(wordings(thing)), getattr(thing, asked), thing)


def ask_colour(random, scene):
    """The colour of a shape that is there once; nothing where no shape is."""

    def wordings(thing):
        word = random.choice(("colour", "colour", "color"))
        return f"What {word} is the {thing.shape}?", f"Which {word} does the {thing.shape} have?"

    return ask_attribute(random, scene, "colour", "shape", wordings)


def ask_shape(random, scene):
    """The shape of the only object of a colour; nothing where no colour is alone."""

    def wordings(thing):
        return f"What is {thing.colour}?", f"Which shape is {thing.colour}?", f"What is the {thing.colour} thing?"

    return ask_attribute(random, scene, "shape", "colour", wordings)


def ask_size(random, scene):
    """The size of a shape that is there once; nothing where no shape is."""

    def wordings(thing):
        return f"How big is the {thing.shape}?", f"Is the {thing.shape} small or large?"

    return ask_attribute(random, scene, "size", "shape", wordings)


def ask_place(random, scene):
    """The place of an object that shape and colour single out; nothing where none is."""
    for thing in any_single(random, scene, "shape", "colour"):
        alone = thing in singles(scene, "shape") and random.random() < 0.7
        yield Asked(
            "place", f"Where is the {'' if alone else thing.colour + ' '}{thing.shape}?", PLACES[thing.cell], thing
        )


def ask_cell(random, scene):
    """What stands in one of the nine places, or nothing."""
    taken = {thing.cell: thing for thing in scene.things}
    cell = random.choice(list(taken)) if random.random() < 0.8 else random.randrange(9)
    said = article(named(taken[cell])) if cell in taken else "nothing"
    yield Asked(
        "cell", random.choice((f"What is {PLACES[cell]}?", f"What do you see {PLACES[cell]}?")), said, taken.get(cell)
    )


def absent_pair(random, scene, like):
    """Shape and colour that no object of the scene has: half the time the shape of `like`, else an absent shape.

    They come from the scene's own pool. Asked for held-out pairs, training would teach that these are never there.
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
    yield Asked(
        "presence",
        random.choice((f"Is there {what}?", f"Do you see {what}?", f"Does the picture show {what}?")),
        "yes" if present else "no",
        thing if present else None,
    )


def ask_number(random, scene):
    """How many objects there are: of a shape, of a colour, or in all."""
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
    """The colour of the background."""
    yield Asked(
        "background",
        random.choice(
            ("What colour is the background?", "What is the colour of the background?", "What color is the background?")
        ),
        scene.background,
    )


KINDS = (ask_colour, ask_shape, ask_size, ask_place, ask_cell, ask_cell, ask_presence, ask_number, ask_background)


def questions(random, scene, count):
    """Up to `count` questions of different kinds, one at least.

    Three objects that are alike leave little to ask, but what is in a place can always be asked.
    """
    return [asked for kind in random.sample(KINDS, count) for asked in kind(random, scene)] or [
        asked for kind in KINDS for asked in kind(random, scene)
    ][:1]
