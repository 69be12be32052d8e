"""Checks the reader's pieces, its start from an earlier reader, and that the graph computes what the network does."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import onnxruntime

from lightwell_training.graph.folder import write_graph
from lightwell_training.graph.stored import stored_weights
from lightwell_training.reader.data.pieces import SHAPES, piece_tables, piece_texts
from lightwell_training.reader.data.tokenizer import forms_of, train_tokenizer
from lightwell_training.reader.data.vectors import WIDTH, known_vectors
from lightwell_training.reader.export.build import build
from lightwell_training.reader.export.hub import round_weights
from lightwell_training.reader.network.check import Check, Checked
from lightwell_training.reader.network.network import Reader, Shape
from lightwell_training.reader.start import begin

PIECES, COMMON = 60, 20
SHAPE = Shape(width=16, heads=2, inner=16, common=COMMON)


def tables():
    """Tables of pieces two of which are of one class, with vectors at random."""
    random = np.random.default_rng(0)
    fold = np.arange(PIECES) // 2
    return {
        "fold": fold,
        "stem": fold // 2,
        "shape": random.integers(1, len(SHAPES), PIECES),
        "ends": (np.arange(PIECES) % 11 == 5).astype(np.int64),
        "vectors": random.standard_normal((PIECES // 2, WIDTH)).astype(np.float32),
        "weights": random.random(PIECES // 2).astype(np.float32),
    }


def reader():
    torch.manual_seed(0)
    model = Checked(Reader(SHAPE, tables()), Check())
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn(parameter.shape)
    return model.eval()


class TestPieces(unittest.TestCase):
    def test_a_word_is_a_piece_small_and_with_a_capital(self):
        self.assertEqual(list(forms_of(["ferry"], {"FERRY": 3, "Ferry": 2})), [" Ferry", " ferry", "FERRY"])

    def test_words_come_whole_and_keep_their_vectors(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "tokenizer.json"
        train_tokenizer(["The ferry leaves at nine."] * 4, ["the", "ferry", "boat"], path)
        texts, fold = piece_texts(path), piece_tables(path)["fold"]
        self.assertEqual(fold[texts.index(" Boat")], fold[texts.index(" boat")])
        vectors = np.random.default_rng(0).standard_normal((400, WIDTH))
        words = np.array(["the", "ferry", "boat", *(f"other{number}" for number in range(397))])
        found = known_vectors(texts, fold, {"words": words, "vectors": vectors})
        lengths = np.linalg.norm(found, axis=1)
        self.assertAlmostEqual(float(lengths[fold[texts.index(" boat")]]), WIDTH**0.5, places=3)
        self.assertLess(lengths[fold[texts.index("z")]], 2.0)


class TestNetwork(unittest.TestCase):
    def test_rare_words_share_what_is_learned(self):
        model = reader().reader
        model.vectors.zero_()
        model.shapes.data.zero_()
        first, second, common = model.embed(torch.tensor([2 * COMMON, 2 * COMMON + 2, 2]))
        self.assertTrue(torch.equal(first, second))
        self.assertFalse(torch.equal(first, common))

    def test_a_word_is_like_itself_and_not_like_most(self):
        ids = torch.arange(4, 44, 2)[None]
        likeness = reader().reader.likeness(ids, ids)[0]
        self.assertTrue(torch.allclose(likeness.diagonal(), torch.ones(20), atol=1e-5))
        self.assertLess((likeness > 0).float().mean(), 0.2)

    def test_the_graph_computes_what_the_network_does(self):
        model, path = reader(), Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx"
        write_graph(build(model), path)
        round_weights(model)
        random = np.random.default_rng(1)
        question, passage = np.r_[1, random.integers(3, PIECES, 6), 2], np.r_[random.integers(3, PIECES, 30), 2]
        ids, kinds = np.r_[question, passage][None], np.r_[np.zeros(8, int), np.ones(31, int)][None]
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        got = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds})
        with torch.no_grad():
            wanted = model(torch.from_numpy(question)[None], torch.from_numpy(passage)[None])
        for values, expected in zip(got, wanted):
            difference = np.abs(values[0][np.r_[0, 8:38]] - expected[0].numpy()[:-1]).max()
            self.assertLess(difference, 1e-3)


class TestStart(unittest.TestCase):
    def test_it_has_the_earlier_weights_and_its_new_round_adds_nothing(self):
        earlier, path = reader(), Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx"
        write_graph(build(earlier), path)
        round_weights(earlier)
        model = Reader(replace(SHAPE, rounds=(*SHAPE.rounds, ((1,), (3,)))), tables()).eval()
        figures = begin(model, stored_weights(path))
        self.assertEqual(figures["known"], sum(item.numel() for item in earlier.reader.parameters()))
        self.assertEqual(figures["new"], sum(item.numel() for item in model.rounds[-1].parameters()))
        ids = torch.from_numpy(np.random.default_rng(1).integers(3, PIECES, (2, 2, 12)))
        model.vectors.copy_(earlier.reader.vectors)
        with torch.no_grad():
            for got, wanted in zip(model(*ids), earlier.reader(*ids)):
                self.assertTrue(torch.allclose(got, wanted, atol=1e-5))
