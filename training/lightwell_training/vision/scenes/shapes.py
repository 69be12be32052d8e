"""Anti-aliased masks of plain figures, digits and simple icons, drawn with numpy alone.

A shape is defined on the square from -1 to 1, x to the right and y down, and sampled on a grid finer than the pixels.
"""

import itertools
from functools import cache

import numpy as np

FINE = 4  # samples per pixel in each direction
STROKE = 0.17  # half the width of a digit's line
TURNS = (-10, 0, 10)  # degrees


def polygon(x, y, corners):
    """Whether points lie inside a polygon (even-odd rule), bool like x."""
    inside = np.zeros(x.shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0)):
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def strokes(x, y, *lines):
    """Whether points lie within STROKE of one of the open polylines."""
    near = np.full(x.shape, np.inf)
    for line in lines:
        for (ax, ay), (bx, by) in itertools.pairwise(line):
            dx, dy = bx - ax, by - ay
            along = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
            near = np.minimum(near, (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2)
    return near <= STROKE**2


def arc(cx, cy, rx, ry, first, last):
    """Points on an ellipse from angle `first` to `last`, in degrees clockwise from the right."""
    angles = np.radians(np.linspace(first, last, max(3, int(abs(last - first) / 24) + 1)))
    return [(cx + rx * np.cos(angle), cy + ry * np.sin(angle)) for angle in angles]


def star_corners():
    """Corners of a star with five points, float64 [10, 2]."""
    angles = np.radians(np.arange(10) * 36 - 90)
    radii = np.where(np.arange(10) % 2, 0.42, 1.0)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles) + 0.06], axis=1)


def disc(x, y, cx, cy, radius):
    """Mask of a disc; x and y are coordinates between -1 and 1, as in every mask here."""
    return (x - cx) ** 2 + (y - cy) ** 2 <= radius**2


def bar(x, y, left, top, right, bottom):
    """Mask of a rectangle."""
    return (x >= left) & (x <= right) & (y >= top) & (y <= bottom)


def heart(x, y):
    """Mask of a heart."""
    lobes = disc(x, y, -0.46, -0.36, 0.52) | disc(x, y, 0.46, -0.36, 0.52)
    return lobes | polygon(x, y, [(-0.9, -0.12), (0.9, -0.12), (0, 0.95)])


def tree(x, y):
    """Mask of a tree."""
    crown = polygon(x, y, [(0, -1), (0.62, -0.2), (-0.62, -0.2)]) | polygon(
        x, y, [(0, -0.55), (0.85, 0.5), (-0.85, 0.5)]
    )
    return crown | bar(x, y, -0.16, 0.5, 0.16, 1)


def key(x, y):
    """Mask of a key."""
    bow = disc(x, y, -0.52, 0, 0.46) & ~disc(x, y, -0.52, 0, 0.2)
    return bow | bar(x, y, -0.1, -0.13, 1, 0.13) | bar(x, y, 0.42, 0.1, 0.6, 0.5) | bar(x, y, 0.8, 0.1, 1, 0.5)


def cup(x, y):
    """Mask of a cup."""
    body = polygon(x, y, [(-0.95, -0.7), (0.45, -0.7), (0.3, 0.8), (-0.8, 0.8)])
    return body | (disc(x, y, 0.5, -0.1, 0.48) & ~disc(x, y, 0.5, -0.1, 0.26) & (x > 0.3))


def house(x, y):
    """Mask of a house."""
    walls = bar(x, y, -0.68, -0.1, 0.68, 0.95) & ~bar(x, y, -0.18, 0.35, 0.18, 0.95)
    return walls | polygon(x, y, [(0, -0.95), (0.98, -0.08), (-0.98, -0.08)])


TOP, LOW = arc(0, -0.42, 0.46, 0.42, 0, 360), arc(0, 0.42, 0.48, 0.42, 0, 360)
DIGITS = {
    "0": (arc(0, 0, 0.52, 0.82, 0, 360),),
    "1": ([(-0.34, -0.5), (0.06, -0.82), (0.06, 0.82)], [(-0.34, 0.82), (0.42, 0.82)]),
    "2": ([*arc(0, -0.36, 0.48, 0.46, -170, 40), (-0.5, 0.82), (0.54, 0.82)],),
    "3": (arc(-0.06, -0.42, 0.5, 0.4, -150, 90), arc(-0.06, 0.4, 0.54, 0.42, -90, 150)),
    "4": ([(0.26, 0.84), (0.26, -0.82), (-0.56, 0.34), (0.6, 0.34)],),
    "5": ([(0.46, -0.82), (-0.38, -0.82), (-0.44, -0.08), *arc(0, 0.32, 0.5, 0.5, -140, 140)],),
    "6": (LOW, [(-0.48, 0.42), *arc(0.24, 0.36, 0.72, 1.18, -180, -80)]),
    "7": ([(-0.5, -0.82), (0.52, -0.82), (-0.12, 0.84)],),
    "8": (TOP, LOW),
    "9": (TOP, [(0.46, -0.42), *arc(-0.24, -0.36, 0.7, 1.18, 0, 100)]),
}
FIGURES = {
    "circle": lambda x, y: disc(x, y, 0, 0, 0.96),
    "square": lambda x, y: bar(x, y, -0.88, -0.88, 0.88, 0.88),
    "triangle": lambda x, y: polygon(x, y, [(0, -0.95), (0.98, 0.8), (-0.98, 0.8)]),
    "star": lambda x, y: polygon(x, y, star_corners()),
    "cross": lambda x, y: bar(x, y, -0.94, -0.3, 0.94, 0.3) | bar(x, y, -0.3, -0.94, 0.3, 0.94),
    "ring": lambda x, y: disc(x, y, 0, 0, 0.98) & ~disc(x, y, 0, 0, 0.56),
    "heart": heart,
    "arrow": lambda x, y: bar(x, y, -0.98, -0.24, 0.2, 0.24) | polygon(x, y, [(0.1, -0.8), (1, 0), (0.1, 0.8)]),
    "house": house,
    "tree": tree,
    "key": key,
    "cup": cup,
}
SHAPES = (*FIGURES, *DIGITS)


@cache
def mask(shape, side, turn=0):
    """How much of each pixel the shape covers, float32 [side, side], 0 to 1; `turn` in degrees."""
    steps = (np.arange(side * FINE) + 0.5) / (side * FINE) * 2 - 1
    across, down = np.meshgrid(steps, steps)
    angle = np.radians(turn)
    grow = 1 + 0.12 * abs(np.sin(2 * angle))  # keeps corners of a turned shape inside the square
    x = grow * (np.cos(angle) * across + np.sin(angle) * down)
    y = grow * (np.cos(angle) * down - np.sin(angle) * across)
    covered = FIGURES[shape](x, y) if shape in FIGURES else strokes(x, y, *DIGITS[shape])
    return covered.reshape(side, FINE, side, FINE).mean(axis=(1, 3)).astype(np.float32)
