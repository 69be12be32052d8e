"""Checks the embedder's losses, its second training, and that the graph computes what the network does."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from lightwell_training.embedder.blend import SHARE, TERMS_SHARE, blended
from lightwell_training.embedder.export.build import build
from lightwell_training.embedder.export.hub import ALLOWED, round_as_stored, verify
from lightwell_training.embedder.network.losses import pair_loss, score_loss
from lightwell_training.embedder.network.network import Embedder, Shape
from lightwell_training.embedder.network.start import initialise
from lightwell_training.embedder.train import begin, optimizers_of
from lightwell_training.graph.folder import write_graph
from lightwell_training.loop.mean import mean_of_states

PIECES, ROWS, TERMS = 40, 30, 20
SIZES = {"word_width": 8, "width": 16, "heads": 2, "head_size": 4, "feed": 8, "hidden": 8, "compact": 8, "dense": 16}


def network(layers):
    """A small embedder that begins as a real one does."""
    torch.manual_seed(0)
    shape = Shape(PIECES, ROWS, TERMS, layers=layers, size=32, **SIZES)
    model = Embedder(shape, np.arange(PIECES) % ROWS, np.arange(PIECES) % TERMS)
    vectors = np.random.default_rng(0).standard_normal((ROWS, 6)).astype(np.float32)
    initialise(model, 1, vectors, np.full(ROWS, 1 / ROWS), np.linspace(0.001, 0.9, TERMS))
    return model


def batch():
    ids = torch.tensor([[1, 5, 9, 9, 20], [2, 7, 31, 0, 0]])
    return ids, (torch.arange(5)[None] < torch.tensor([[5], [3]])).long()


class TestLosses(unittest.TestCase):
    def test_hard_negatives_count_for_the_queries(self):
        a = torch.eye(4)
        free, hard = pair_loss(a, a, a[:0], 20.0), pair_loss(a, a, torch.full((1, 4), 0.5), 20.0)
        self.assertGreater(hard, free)

    def test_cosines_on_a_line_through_the_scores_have_no_loss(self):
        angles, same = torch.tensor([0.0, 0.5, 1.0, 1.4]), torch.tensor([[1.0, 0.0]]).repeat(4, 1)
        turned = torch.stack([angles.cos(), angles.sin()], -1)
        self.assertLess(score_loss(turned, same, 5 * angles.cos()), 1e-4)
        self.assertGreater(score_loss(turned, same, angles), 5.0)


class TestNetwork(unittest.TestCase):
    def test_a_layer_that_was_just_added_changes_nothing(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "words.pt"
        plain, layered = network(0), network(1)
        plain.word_weight.data += torch.linspace(0, 1, ROWS)
        torch.save({"model": plain.state_dict()}, path)
        begin(layered, 1, path.parent, path)
        self.assertTrue(torch.allclose(plain(*batch()), layered(*batch()), atol=1e-6))
        torch.save({"model": {"strange": torch.ones(1)}}, path)
        with self.assertRaisesRegex(ValueError, "expected the weights of this network"):
            begin(layered, 1, path.parent, path)

    def test_a_blend_lies_between_start_and_end_and_keeps_the_tables(self):
        start = network(0).state_dict()
        ends = [{name: values + more for name, values in start.items()} for more in (0, 2)]
        ends[1]["row_of"] = ends[0]["row_of"]
        mixed = blended(start, mean_of_states(ends))
        self.assertTrue(torch.allclose(mixed["words.weight"], start["words.weight"] + SHARE))
        self.assertTrue(torch.allclose(mixed["term_weight"], start["term_weight"] + TERMS_SHARE))
        self.assertTrue(torch.equal(mixed["row_of"], start["row_of"]))

    def test_only_rows_of_the_batch_change(self):
        model = network(0)
        before = model.words.weight.detach().clone()
        words, _ = optimizers_of(model)
        model(*batch()).square().cumsum(1).sum().backward()
        words.step()
        changed = (model.words.weight != before).any(1).nonzero().flatten().tolist()
        self.assertLessEqual({5, 9, 20}, set(changed))
        self.assertLessEqual(set(changed), {0, 1, 2, 5, 9, 20, 7})

    def test_a_word_that_was_read_often_moves_less_than_a_new_one(self):
        model = network(0)
        words, _ = optimizers_of(model)
        ids = torch.tensor([[1, 5, 5, 5], [1, 5, 5, 9]])
        for read in (ids[:1], ids[:1], ids[:1], ids[1:]):
            before = model.words.weight.detach().clone()
            model(read, torch.ones_like(read)).square().cumsum(1).sum().backward()
            words.step()
            words.zero_grad()
        moved = (model.words.weight - before).detach().abs().mean(1)
        self.assertGreater(moved[9], moved[5])
        self.assertGreater(moved[5], 0)

    def test_the_graph_computes_what_the_network_does(self):
        model = network(1)
        for parameter in model.parameters():
            parameter.data += 0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(2))
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx"
        write_graph(build(model.eval(), round_as_stored(model)), path)
        differences = verify(path, model)
        for name, most in ALLOWED.items():
            self.assertLessEqual(differences[name], most, name)
