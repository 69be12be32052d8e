"""Writes scenes of held-out pairs as a file of the repository: what `npm run evaluate` asks the model about pictures.

Each scene has a picture (PNG, base64), its objects, one question about one of them, and the rows and columns of tiles that this one covers. They are
the scenes that scene_figures.py measures. The words of captions stand in front.
"""

import argparse
import base64
import json
import struct
import zlib
from itertools import count, islice
from pathlib import Path
from random import Random

import numpy as np

from scene_texts import ask_cell, ask_colour, ask_place, ask_shape, ask_size
from scenes import CELLS, COLOURS, SIZES, make_scene, render, tiles_of
from shapes import SHAPES
from train_tiles import TESTS

LIMIT = 600_000  # bytes of the file
MAKERS = (ask_colour, ask_shape, ask_size, ask_place, ask_cell)
RGB, PALETTE = 2, 3  # colour types of PNG


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def paeth(left, above, corner):
    """The neighbour nearest to left + above - corner (PNG specification, 9.4)."""
    guess = left + above - corner
    distances = np.stack([abs(guess - near) for near in (left, above, corner)])
    return np.choose(distances.argmin(0), (left, above, corner))


def filtered(rows, channels):
    """The pixel bytes [height, width * channels] behind each of PNG's five filters, every row with its filter's number in front."""
    rows = rows.astype(np.int16)
    left = np.pad(rows, ((0, 0), (channels, 0)))[:, :-channels]
    above = np.pad(rows, ((1, 0), (0, 0)))[:-1]
    corner = np.pad(above, ((0, 0), (channels, 0)))[:, :-channels]
    for number, guess in enumerate((np.zeros_like(rows), left, above, (left + above) // 2, paeth(left, above, corner))):
        yield np.pad((rows - guess).astype(np.uint8), ((0, 0), (1, 0)), constant_values=number).tobytes()


def png(picture):
    """PNG file of a picture, uint8 [height, width, 3], lossless: with a palette where 256 colours do, and the filter that packs best."""
    height, width, _ = picture.shape
    colours, indices = np.unique(picture.reshape(-1, 3), axis=0, return_inverse=True)
    forms = [(RGB, picture.reshape(height, -1), 3, b"")]
    if len(colours) <= 256:
        forms.append((PALETTE, indices.reshape(height, width), 1, chunk(b"PLTE", colours.tobytes())))
    files = [
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)) + palette + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")
        for kind, rows, channels, palette in forms
        for data in filtered(rows, channels)
    ]
    return min(files, key=len)


def row_of(number):
    """Scene of a number with a question about one of its objects; None where no object can be asked for."""
    random = Random(TESTS + number)
    scene = make_scene(random, held_out=True)
    picture = render(random, scene)
    one = next((asked for maker in random.sample(MAKERS, len(MAKERS)) for asked in maker(random, scene) if asked.about), None)
    if one is None:
        return None
    (top, bottom), (left, right) = tiles_of(one.about.box)
    return {
        "picture": base64.b64encode(png(picture)).decode(),
        "objects": [thing._asdict() for thing in scene.things],
        "question": {"kind": one.kind, "text": one.question, "answer": one.answer, "about": scene.things.index(one.about)},
        "tiles": {"top": top, "bottom": bottom, "left": left, "right": right},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=150)
    arguments = parser.parse_args()
    rows = list(islice(filter(None, map(row_of, count())), arguments.scenes))
    words = {"sizes": list(SIZES), "colours": list(COLOURS), "shapes": list(SHAPES), "cells": list(CELLS)}
    scenes = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"words": {json.dumps(words)},\n"scenes": [\n{scenes}\n]}}\n'
    if len(text) > LIMIT:
        raise SystemExit(f"{arguments.out}: {len(text)} bytes, expected at most {LIMIT}; ask for fewer --scenes")
    arguments.out.write_text(text)
    print(f"{len(rows)} scenes, {sum(len(row['objects']) for row in rows)} objects, {len(text)} bytes")


if __name__ == "__main__":
    main()
