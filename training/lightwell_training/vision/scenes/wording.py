"""Words for what a scene shows: places, numbers, articles, plurals."""

import re

from lightwell_training.vision.scenes.shapes import DIGITS

PLACES = (
    "at the top left",
    "at the top",
    "at the top right",
    "on the left",
    "in the centre",
    "on the right",
    "at the bottom left",
    "at the bottom",
    "at the bottom right",
)

NUMBERS = ("0", "1", "2", "3", "4")

PLURALS = {"cross": "crosses", **{digit: f"{digit}s" for digit in DIGITS}}


def article(words):
    """The words with "a" or "an" in front."""
    return f"an {words}" if re.match(r"[aeiou]|8", words) else f"a {words}"


def plural(shape):
    """The plural of a shape."""
    return PLURALS.get(shape, f"{shape}s")


def named(thing):
    """Size, colour and shape of an object."""
    return f"{thing.size} {thing.colour} {thing.shape}"


def joined(parts):
    """a; a and b; a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
