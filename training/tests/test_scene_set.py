"""Checks the scenes of the evaluation, and the PNG files in them."""

import struct
import unittest
import zlib
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")
pytest.importorskip("torch", reason="torch is not installed")

from lightwell_training.vision.scenes.png import PALETTE, png
from lightwell_training.vision.scenes.scene_set import row_of
from lightwell_training.vision.scenes.scenes import HELD_OUT, make_scene, render


def chunks(file):
    at = 8
    while at < len(file):
        size, kind = struct.unpack(">I4s", file[at : at + 8])
        yield kind, file[at + 8 : at + 8 + size], struct.unpack(">I", file[at + 8 + size : at + 12 + size])[0]
        at += 12 + size


def unfiltered(number, row, above, channels):
    """One row of bytes, undone value by value as the PNG specification words it."""
    for x in range(len(row)):
        a = row[x - channels] if x >= channels else 0
        b, c = above[x], above[x - channels] if x >= channels else 0
        p = a + b - c
        nearest = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
        row[x] = (row[x] + (0, a, b, (a + b) // 2, nearest)[number]) % 256
    return row


def read(file):
    parts = {kind: data for kind, data, _ in chunks(file)}
    width, height, _, kind = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    channels, data = (1 if kind == PALETTE else 3), zlib.decompress(parts[b"IDAT"])
    rows, above = [], [0] * width * channels
    for at in range(0, len(data), width * channels + 1):
        above = unfiltered(data[at], list(data[at + 1 : at + 1 + width * channels]), above, channels)
        rows.append(above)
    pixels = np.array(rows, np.uint8).reshape(height, width, channels)
    return np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)[pixels[..., 0]] if kind == PALETTE else pixels


class Pictures(unittest.TestCase):
    def test_files_read_back_as_they_were(self):
        for seed in range(12):
            random = Random(seed)
            picture = render(random, make_scene(random))
            self.assertTrue((read(png(picture)) == picture).all())

    def test_many_colours_and_wide_pictures_too(self):
        noise = np.random.default_rng(0).integers(0, 256, (20, 31, 3), np.uint8)
        self.assertTrue((read(png(noise)) == noise).all())

    def test_each_part_has_its_checksum(self):
        for kind, data, checksum in chunks(png(np.zeros((4, 4, 3), np.uint8))):
            self.assertEqual(checksum, zlib.crc32(kind + data))


class Rows(unittest.TestCase):
    def test_only_held_out_pairs_and_answers_that_their_object_gives(self):
        for row in filter(None, map(row_of, range(40))):
            self.assertTrue(all((thing["shape"], thing["colour"]) in HELD_OUT for thing in row["objects"]))
            asked = row["question"]
            thing = row["objects"][asked["about"]]
            if asked["kind"] in ("colour", "shape", "size"):
                self.assertEqual(asked["answer"], thing[asked["kind"]])
