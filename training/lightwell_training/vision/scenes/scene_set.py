"""Writes scenes of held-out pairs as a file of the repository: what `npm run evaluate` asks the model about pictures.

Each scene has a picture (PNG, base64), its objects, one question about one of them, and the rows and columns of tiles
that this one covers. They are the scenes that vision/measure/figures.py measures. The words of captions stand in front.
"""

import base64
import json
from itertools import count, islice
from pathlib import Path
from random import Random

from lightwell_training.vision.scenes.png import png
from lightwell_training.vision.scenes.questions import ask_cell, ask_colour, ask_place, ask_shape, ask_size
from lightwell_training.vision.scenes.scenes import CELLS, COLOURS, SIZES, make_scene, render, tiles_of
from lightwell_training.vision.scenes.shapes import SHAPES
from lightwell_training.vision.train_tiles import TESTS

LIMIT = 600_000  # bytes of the file
MAKERS = (ask_colour, ask_shape, ask_size, ask_place, ask_cell)


def row_of(number):
    """Scene of a number with a question about one of its objects; None where no object can be asked for."""
    random = Random(TESTS + number)
    scene = make_scene(random, held_out=True)
    picture = render(random, scene)
    one = next(
        (asked for maker in random.sample(MAKERS, len(MAKERS)) for asked in maker(random, scene) if asked.about), None
    )
    if one is None:
        return None
    (top, bottom), (left, right) = tiles_of(one.about.box)
    return {
        "picture": base64.b64encode(png(picture)).decode(),
        "objects": [thing._asdict() for thing in scene.things],
        "question": {
            "kind": one.kind,
            "text": one.question,
            "answer": one.answer,
            "about": scene.things.index(one.about),
        },
        "tiles": {"top": top, "bottom": bottom, "left": left, "right": right},
    }


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=150)


def main(arguments):
    """Runs this step."""
    rows = list(islice(filter(None, map(row_of, count())), arguments.scenes))
    words = {"sizes": list(SIZES), "colours": list(COLOURS), "shapes": list(SHAPES), "cells": list(CELLS)}
    scenes = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"words": {json.dumps(words)},\n"scenes": [\n{scenes}\n]}}\n'
    if len(text) > LIMIT:
        raise SystemExit(f"{arguments.out}: {len(text)} bytes, expected at most {LIMIT}; ask for fewer --scenes")
    arguments.out.write_text(text)
    print(f"{len(rows)} scenes, {sum(len(row['objects']) for row in rows)} objects, {len(text)} bytes")
