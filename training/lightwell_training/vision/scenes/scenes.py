"""Scenes of one to four coloured shapes on a 3 x 3 grid, drawn with numpy, with the box of every object.

Held out are pairs of shape and colour: HELD_OUT is fixed, no training scene holds one, and every shape and every colour
is seen in other pairs.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lightwell_training.vision.scenes.shapes import SHAPES, TURNS, mask

SIDE, TILE = 96, 8  # pixels of a picture and of a tile; 12 x 12 tiles
TILES = SIDE // TILE
CELL = SIDE // 3
COLOURS = {
    "red": (214, 32, 38),
    "orange": (247, 138, 20),
    "yellow": (250, 222, 40),
    "green": (38, 150, 60),
    "blue": (36, 82, 205),
    "purple": (124, 48, 160),
    "pink": (248, 130, 182),
    "brown": (122, 74, 36),
    "black": (18, 18, 20),
    "white": (250, 250, 250),
}
BACKGROUNDS = {
    "white": (252, 252, 252),
    "grey": (150, 152, 154),
    "black": (16, 16, 18),
    "beige": (232, 216, 184),
    "light blue": (176, 212, 240),
    "light green": (190, 228, 186),
    "dark blue": (20, 32, 84),
}
SIZES = {"small": (13, 17), "large": (24, 29)}  # side of the box in pixels, from and to
CELLS = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
CONTRAST = 75.0  # least distance between an object's colour and the background's
HELD_OUT = frozenset((shape, list(COLOURS)[(3 * index + 1) % len(COLOURS)]) for index, shape in enumerate(SHAPES))
SEEN = tuple((shape, colour) for shape in SHAPES for colour in COLOURS if (shape, colour) not in HELD_OUT)


class Thing(NamedTuple):
    """An object.

    `cell` 0 to 8 in reading order, `box` left, top, right, bottom in pixels, right and bottom exclusive.
    """

    shape: str
    colour: str
    size: str
    cell: int
    box: tuple


class Scene(NamedTuple):
    """Objects in reading order, at most one in a cell."""

    things: tuple
    background: str


def distance(colour, background):
    """Distance of an object's colour from a background in RGB, each channel 0 to 255."""
    return float(np.linalg.norm(np.subtract(COLOURS[colour], BACKGROUNDS[background])))


FITTING = {name: frozenset(colour for colour in COLOURS if distance(colour, name) >= CONTRAST) for name in BACKGROUNDS}


def draw_pair(random, pool, background, earlier):
    """Shape and colour out of `pool`.

    A third of the time one of them is that of an `earlier` object, so that there is something to count and to confuse.
    """
    fitting = [pair for pair in pool if pair[1] in FITTING[background]]
    if earlier and random.random() < 0.35:
        other, axis = random.choice(earlier), random.choice((0, 0, 1))
        fitting = [pair for pair in fitting if pair[axis] == other[axis]] or fitting
    return random.choice(fitting)


def place(random, size, cell):
    """Box of an object inside its cell."""
    side = random.randint(*SIZES[size])
    room = CELL - side
    left, top = (CELL * at + random.randint(0, room) for at in (cell % 3, cell // 3))
    return left, top, left + side, top + side


def make_scene(random, held_out=False):
    """A scene of one to four objects. With `held_out`, every object is of a held-out pair; without, none is."""
    background = random.choice(list(BACKGROUNDS))
    pool = tuple(sorted(HELD_OUT)) if held_out else SEEN
    things, pairs = [], []
    for cell in sorted(random.sample(range(9), random.choice((1, 2, 2, 3, 3, 4)))):
        pairs.append(draw_pair(random, pool, background, pairs))
        size = random.choice(tuple(SIZES))
        things.append(Thing(*pairs[-1], size, cell, place(random, size, cell)))
    return Scene(tuple(things), background)


@lru_cache(maxsize=1)
def textures():
    """Thirty-two patterns between -1 and 1, float32 [32, side, side, 1]: slanted stripes, waves and soft grain.

    The first eight are plain.
    """
    source = np.random.default_rng(0)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    patterns = [np.zeros((SIDE, SIDE), np.float32)] * 8
    for index in range(24):
        angle, period = source.uniform(0, np.pi), source.uniform(5, 40)
        wave = np.sin((np.cos(angle) * x + np.sin(angle) * y) * 2 * np.pi / period)
        grain = np.kron(source.uniform(-1, 1, (SIDE // 4, SIDE // 4)), np.ones((4, 4)))
        patterns.append((wave, np.sign(wave), grain)[index % 3].astype(np.float32))
    return np.stack(patterns)[..., None]


def tinted(random, colour):
    """The colour, each channel off by at most 12."""
    return np.array([min(255, max(0, value + random.randint(-12, 12))) for value in colour], np.float32)


def render(random, scene):
    """The picture, uint8 [side, side, 3]. Only looks are drawn from `random`: texture, tints, turns."""
    pattern = textures()[random.randrange(32)]
    canvas = tinted(random, BACKGROUNDS[scene.background]) + random.uniform(3, 12) * pattern
    for thing in scene.things:
        left, top, right, bottom = thing.box
        turn = 0 if thing.shape in "69" else random.choice(TURNS)
        covered = mask(thing.shape, right - left, turn)[..., None]
        part = canvas[top:bottom, left:right]
        part += covered * (tinted(random, COLOURS[thing.colour]) - part)
    return np.clip(canvas + 0.5, 0, 255).astype(np.uint8)


def tiles_of(box):
    """Tiles whose area a box touches by at least a fifth, as rows and columns (first, stop)."""
    left, top, right, bottom = box
    reach = TILE / 5
    columns, rows = (
        (int((a + reach) // TILE), int((b - reach) // TILE) + 1) for a, b in ((left, right), (top, bottom))
    )
    return rows, columns


def tile_labels(scene):
    """What each tile shows, int64 [5, tiles * tiles]: shape (0 for none), colour, size, cell, background.

    -100 where one does not apply.

    A tile shows an object when its centre lies in the object's box.
    """
    labels = np.full((5, TILES, TILES), -100)
    labels[0], labels[4] = 0, list(BACKGROUNDS).index(scene.background)
    for thing in scene.things:
        left, top, right, bottom = ((edge + TILE // 2 - 1) // TILE for edge in thing.box)
        values = (
            SHAPES.index(thing.shape) + 1,
            list(COLOURS).index(thing.colour),
            list(SIZES).index(thing.size),
            thing.cell,
            -100,
        )
        labels[:, top:bottom, left:right] = np.array(values)[:, None, None]
    return labels.reshape(5, -1)
