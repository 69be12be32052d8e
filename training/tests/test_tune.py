"""Checks the reader's second training, and the weights that it starts from."""

import io
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
for name in ("onnx", "onnxruntime", "sklearn", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} is not installed")

from lightwell_training.graph.stored import stored_weights
from lightwell_training.loop.run import train
from lightwell_training.loop.schedule import Schedule
from lightwell_training.reader.data.batches import framed
from lightwell_training.reader.earlier import value_of
from lightwell_training.reader.export import write_model
from lightwell_training.reader.network import Reader, load_checkpoint
from lightwell_training.reader.tune import Mixture, TuneRun
from lightwell_training.trunk.graph import round_as_stored
from lightwell_training.trunk.network import Trunk, TrunkShape


def reader():
    torch.manual_seed(0)
    model = Reader(Trunk(TrunkShape(pieces=60, width=24, heads=2, layers=4, inner=32)))
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn(parameter.shape)
    return model.eval()


class Asked:
    """Questions of one token, each of which tells how it was asked for."""

    asked = 50

    def __init__(self):
        self.forms = []

    def __len__(self):
        return 2000

    def example(self, index, random, negative, cropped=None, longest=None):
        self.forms.append((longest, negative))
        return framed(np.array([10 + index % 50]), np.array([9]), np.array([[0, 0]]), random)


class TestTune(unittest.TestCase):
    def test_a_second_training_changes_the_upper_layers_only(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        model = reader()
        before = {name: values.clone() for name, values in model.state_dict().items()}
        schedule = Schedule(steps=2, rates={"matrices": 0.01, "others": 0.01})
        train(TuneRun(folder / "tuned.pt", schedule, model, Asked(), 5, {"seed": 3}), io.StringIO())
        after, saved = load_checkpoint(folder / "tuned.pt")
        changed = {name for name, values in after.state_dict().items() if not torch.equal(values, before[name])}
        self.assertEqual({name.split(".")[0] for name in changed}, {"trunk", "span"})
        self.assertEqual({name[:14] for name in changed if name.startswith("trunk")}, {"trunk.layers.3"})
        self.assertEqual((saved["first"], saved["seed"]), ({"seed": 3}, 5))

    def test_examples_are_of_both_kinds_in_the_share_and_lengths_that_are_told(self):
        passages, office, random = Asked(), Asked(), np.random.default_rng(0)
        for _ in range(4000):
            Mixture(passages, office).example(0, random, False)
        self.assertAlmostEqual(len(office.forms) / 4000, 0.3, delta=0.03)
        self.assertAlmostEqual(np.mean([negative for _, negative in office.forms]), 0.2, delta=0.03)
        self.assertAlmostEqual(np.mean([negative for _, negative in passages.forms]), 0.45, delta=0.03)
        self.assertEqual({longest for longest, _ in passages.forms + office.forms}, {112, 160, 272})

    def test_the_weights_of_a_file_are_those_of_the_network_in_8_bits(self):
        model, path = reader(), Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx"
        write_model(model, path)
        round_as_stored(model.trunk)
        stored = stored_weights(path)
        for name, values in model.state_dict().items():
            self.assertTrue(np.array_equal(value_of(stored, name), values.numpy()), name)
