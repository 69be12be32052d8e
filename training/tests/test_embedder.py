"""Checks the embedder's terms and choices, and that its graph computes what its network does."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
for name in ("onnxruntime", "scipy", "sklearn", "safetensors", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} is not installed")

import onnxruntime

from lightwell_training.embedder.encode import padded, token_rows
from lightwell_training.embedder.export import ALLOWED, run_graph, verify, write_model
from lightwell_training.embedder.fit import AxisPairs, learned, rotation
from lightwell_training.embedder.network import Embedder, Shape
from lightwell_training.embedder.terms import fold_pieces, stem, with_representations
from lightwell_training.trunk.graph import round_as_stored
from lightwell_training.trunk.network import Trunk, TrunkShape

PIECES, TERMS = 43, 20


def network():
    """A small embedder with random weights, rounded as a file has them."""
    torch.manual_seed(0)
    model = Embedder(Shape(PIECES, TERMS, compact=8, dense=24, size=64), np.arange(PIECES, dtype=np.int32) % TERMS)
    model.trunk = Trunk(TrunkShape(PIECES, width=24, heads=2, layers=2, inner=16, positions=16))
    model.term_weight.data.uniform_().round_(decimals=1)
    model.term_weight.data = model.term_weight.data.half().float()
    model.heads.data[:] = torch.eye(24)
    model.share.data[:] = torch.tensor([0.1, 0.3, 0.4])
    round_as_stored(model.trunk)
    return model.eval()


def embed(model, rows):
    with torch.no_grad():
        return model(*map(torch.from_numpy, padded(rows))).numpy()


class TestTerms(unittest.TestCase):
    def test_words_of_one_stem_are_one_term_and_inner_pieces_are_not(self):
        terms = fold_pieces(["[CLS]", "ferry", "ferries", "##ferry", "1945"])
        self.assertEqual(terms[1], terms[2])
        self.assertEqual(len(set(terms.tolist())), 4)
        self.assertEqual([stem("planning"), stem("ferries"), stem("class")], ["plan", "ferry", "class"])

    def test_representations_get_the_last_ids_and_replace_cls(self):
        mark = [{"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]")]
        text = {"Sequence": {"id": "A", "type_id": 0}}
        stored = {
            "model": {"vocab": {"[PAD]": 0, "a": 1}},
            "added_tokens": [{"id": 0, "content": "[PAD]"}],
            "post_processor": {"single": [mark[0], text, mark[1]], "pair": [mark[0], text, mark[1]]},
        }
        made = with_representations(stored)
        self.assertEqual([made["model"]["vocab"][token] for token in ("<sym>", "<query>", "<doc>")], [2, 3, 4])
        self.assertEqual([token["id"] for token in made["added_tokens"]], [0, 2, 3, 4])
        self.assertEqual(made["post_processor"]["single"], [text, mark[1]])


class TestNetwork(unittest.TestCase):
    def test_the_first_token_chooses_the_head_and_the_share(self):
        model = network()
        model.share.data[:] = torch.tensor([0.2, 0.2, 0.5])
        model.trunk.words.weight.data[40:] = model.trunk.words.weight.data[2]
        model.heads.data[1] = torch.eye(24).flip(0)
        plain, symmetric, query, document = embed(model, [[first, 9, 8, 3] for first in (2, 40, 41, 42)])
        np.testing.assert_allclose(symmetric[:24], plain[:24], atol=1e-6)
        np.testing.assert_allclose(query[:24], plain[:24][::-1], atol=1e-6)
        self.assertAlmostEqual(float(np.square(document[24:]).sum()), 0.5, places=5)

    def test_windows_of_a_long_text_do_not_see_each_other(self):
        model, random = network(), np.random.default_rng(0)
        model.share.data[:] = 0.0
        text = random.integers(4, 40, 32)
        halves = [embed(model, [text[:16].tolist()])[0], embed(model, [text[16:].tolist()])[0]]
        with torch.no_grad():
            states = model.trunk(torch.from_numpy(text.reshape(2, 16)), torch.ones(2, 16)).sum((0, 1))
        whole = embed(model, [text.tolist()])[0][:24]
        np.testing.assert_allclose(whole, torch.nn.functional.normalize(states, dim=0).numpy(), atol=1e-6)
        self.assertLess(max(abs(half[:24] @ whole) for half in halves), 1.0)

    def test_the_graph_computes_what_the_network_does(self):
        path, model = Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx", network()
        write_model(model, path)
        self.assertLess(max(verify(path, model).values()), ALLOWED)
        rows = [[2, 41, *range(4, 36), 3], [2], [2, 42]]
        found = run_graph(onnxruntime.InferenceSession(str(path)), *padded(rows))
        np.testing.assert_allclose(found, embed(model, rows), atol=ALLOWED)


class TestChoices(unittest.TestCase):
    def test_a_rotation_changes_no_cosine_and_has_the_widest_axis_first(self):
        vectors = np.random.default_rng(0).standard_normal((50, 6)) * [1, 1, 5, 1, 1, 1]
        turned = vectors @ rotation(vectors).T
        np.testing.assert_allclose(turned @ turned.T, vectors @ vectors.T, atol=1e-9)
        self.assertEqual(np.square(turned).sum(0).argmax(), 0)

    def test_axes_that_agree_with_the_scores_get_more_weight(self):
        random = torch.Generator().manual_seed(0)
        a, b = (torch.randn(400, 6, generator=random) for _ in range(2))
        weights = learned(AxisPairs(a, b), (a * b)[:, :2].sum(1), 0.0, (6,))
        self.assertGreater(weights[:2].min(), 1.5 * weights[2:].max())

    def test_a_text_that_is_too_long_keeps_its_end_mark(self):
        class Words:
            def encode_batch_fast(self, lines):
                return [type("Encoded", (), {"ids": [2, *range(10, 10 + len(line.split())), 3]}) for line in lines]

        rows = token_rows(Words(), ["a b c d", "a"], "query", 4)
        self.assertEqual(rows, [[2, 10, 11, 3], [2, 10, 3]])
