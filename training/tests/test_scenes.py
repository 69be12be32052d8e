"""Checks the scene generator, and the rows for the decoder that are made from it."""

import itertools
import unittest
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.facts.kinds import answer
from lightwell_training.repository import model_folder
from lightwell_training.vision.image_rows import LENGTH, encode_row
from lightwell_training.vision.network import TOKENS, PatchEncoder, VisionLanguage, VisionShape
from lightwell_training.vision.scenes.questions import questions
from lightwell_training.vision.scenes.scenes import (
    HELD_OUT,
    SEEN,
    SIDE,
    TILES,
    make_scene,
    render,
    tile_labels,
    tiles_of,
)
from lightwell_training.vision.scenes.shapes import SHAPES, mask
from lightwell_training.vision.scenes.texts import Example, listing, make_example, read_caption, sentence

TOKENIZER = model_folder("lightwell-base") / "tokenizer.json"
SMALL = Shape(vocab_size=64, hidden_size=32, num_layers=1, num_heads=2, intermediate_size=48)


def attributes(scene):
    return [(thing.size, thing.colour, thing.shape, thing.cell) for thing in scene.things]


class Scenes(unittest.TestCase):
    def test_training_shows_no_held_out_pair_and_measuring_nothing_else(self):
        for number in range(300):
            for held_out in (False, True):
                pairs = {(thing.shape, thing.colour) for thing in make_scene(Random(number), held_out).things}
                self.assertEqual(pairs & HELD_OUT, pairs if held_out else set())

    def test_every_shape_and_colour_is_seen_in_training(self):
        self.assertEqual({shape for shape, _ in SEEN}, set(SHAPES))
        self.assertEqual(
            {colour for _, colour in SEEN}, {colour for _, colour in HELD_OUT} | {colour for _, colour in SEEN}
        )

    def test_a_seed_gives_the_same_picture(self):
        pictures = [render(random, make_scene(random)) for random in (Random(3), Random(3))]
        self.assertTrue((pictures[0] == pictures[1]).all())

    def test_only_boxes_differ_from_an_empty_picture(self):
        for number in range(50):
            scene = make_scene(Random(number))
            full, empty = render(Random(1), scene).astype(int), render(Random(1), scene._replace(things=())).astype(int)
            for left, top, right, bottom in (thing.box for thing in scene.things):
                self.assertTrue(0 <= left < right <= SIDE and 0 <= top < bottom <= SIDE)
                self.assertGreater(np.abs(full - empty)[top:bottom, left:right].max(), 40)
                full[top:bottom, left:right] = empty[top:bottom, left:right]
            self.assertEqual(np.abs(full - empty).max(), 0)

    def test_labels_lie_on_the_tiles_of_their_object(self):
        scene = make_scene(Random(5))
        shapes = tile_labels(scene)[0].reshape(TILES, TILES)
        for thing in scene.things:
            rows, columns = tiles_of(thing.box)
            part = shapes[slice(*rows), slice(*columns)]
            self.assertIn(SHAPES.index(thing.shape) + 1, part)
        self.assertEqual(len(set(shapes.flatten()) - {0}), len({thing.shape for thing in scene.things}))

    def test_masks_cover_part_of_their_square(self):
        for shape in SHAPES:
            self.assertTrue(0.1 < mask(shape, 16).mean() < 0.8, shape)


class Texts(unittest.TestCase):
    def test_captions_read_back(self):
        for scene in (make_scene(Random(number)) for number in range(200)):
            for text in (sentence(scene, ""), sentence(scene, "there is "), listing(scene)):
                self.assertEqual(read_caption(text), attributes(scene))

    def test_no_training_text_names_a_held_out_pair(self):
        held_out = {f"{colour} {shape}" for shape, colour in HELD_OUT}
        for number in range(500):
            _, example, _ = make_example(number)
            words = (
                (example.before + example.after)
                .replace("\x03", " ")
                .replace("?", " ")
                .replace(",", " ")
                .replace(".", " ")
                .replace(";", " ")
                .split()
            )
            self.assertFalse({" ".join(pair) for pair in itertools.pairwise(words)} & held_out)

    def test_absent_things_are_absent(self):
        for number in range(200):
            scene = make_scene(Random(number))
            for one in questions(Random(number), scene, 9):
                if one.kind == "presence":
                    self.assertEqual(one.answer == "yes", one.about is not None)


class Rows(unittest.TestCase):
    def test_a_row_keeps_places_for_the_picture_and_weighs_answers(self):
        ids, weights, first = encode_row(
            tokenizers.Tokenizer.from_file(str(TOKENIZER)), Example("Picture:", f"Question?{answer(' red')}"), 0
        )
        self.assertEqual(ids.shape, (LENGTH + 1,))
        self.assertTrue((ids[first : first + TOKENS] == 0).all() and ids[first - 1] > 0)
        self.assertEqual(int((weights == 1.0).sum()), 2)  # the answer and the end of the text

    def test_features_stand_at_their_place(self):
        network = VisionLanguage(Decoder(SMALL), PatchEncoder(VisionShape(out=32)))
        features = torch.randn(2, TOKENS, 32)
        rows = network.embeddings(torch.ones(2, 160, dtype=torch.long), features, torch.tensor([0, 7]))
        self.assertTrue(
            torch.equal(rows[0, :TOKENS], features[0]) and torch.equal(rows[1, 7 : 7 + TOKENS], features[1])
        )
        self.assertTrue(torch.equal(rows[1, :7], network.decoder.embed_tokens.weight[1].expand(7, -1)))
