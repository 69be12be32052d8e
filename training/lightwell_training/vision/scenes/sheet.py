"""Measures the speed of the generator and writes a sheet of scenes as a PPM file."""

import time
from random import Random

import numpy as np

from lightwell_training.vision.scenes.scenes import HELD_OUT, SEEN, SIDE, make_scene, render


def add_options(parser):
    """Adds the options of this step."""
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")


def main(arguments):
    """Runs this step."""
    random = Random(arguments.seed)
    pictures = [render(random, make_scene(random, arguments.held_out)) for _ in range(48)]
    began = time.process_time()
    for _ in range(1000):
        render(random, make_scene(random))
    print(
        f"{1000 / (time.process_time() - began):.0f} pictures a second of processor time; "
        f"{len(HELD_OUT)} pairs held out, {len(SEEN)} seen"
    )
    sheet = np.stack(pictures).reshape(6, 8, SIDE, SIDE, 3).transpose(0, 2, 1, 3, 4).reshape(6 * SIDE, 8 * SIDE, 3)
    with open(arguments.out, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (8 * SIDE, 6 * SIDE) + sheet.tobytes())
