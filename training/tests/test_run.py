"""Checks that schedule and seed fix a training, and that a restart ends with the same weights."""

import io
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from lightwell_training import loop
from lightwell_training.decoder.mean import mean_of
from lightwell_training.decoder.network import Decoder, Shape
from lightwell_training.decoder.text_run import TextRun
from lightwell_training.loop.run import train
from lightwell_training.loop.schedule import Phase, Schedule, read_schedule
from lightwell_training.text.rows import Mixture

SHAPE = Shape(vocab_size=64, hidden_size=32, num_layers=1, num_heads=2, intermediate_size=48, max_positions=32)
MIX = {"stories": 0.5, "synthetic": 0.5}
SCHEDULE = Schedule(
    steps=6, rates={"matrices": 0.01, "others": 0.002}, phases=(Phase(0.5, 2, 16, MIX), Phase(1.0, 1, 32, MIX))
)


def write_corpus(folder):
    random = np.random.default_rng(3)
    for name in MIX:
        ids = random.integers(0, SHAPE.vocab_size, 2000).astype(np.uint16)
        np.savez(folder / f"{name}.train.npz", ids=ids, marked=ids % 9 == 0, starts=np.arange(0, 2000, 50))


def begin(folder, path, schedule=SCHEDULE):
    torch.manual_seed(1)
    decoder = Decoder(SHAPE)
    return TextRun(path, schedule, decoder, Mixture(folder, 1, {}), decoder)


def weights_after(run):
    train(run, io.StringIO())
    return run.decoder.state_dict()


class TestRun(unittest.TestCase):
    def setUp(self):
        torch.set_num_threads(2)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_corpus(self.folder)

    def assertSame(self, first, second):
        for name, value in first.items():
            self.assertTrue(torch.equal(value, second[name]), name)

    def test_two_runs_end_with_the_same_weights(self):
        first, second = (weights_after(begin(self.folder, self.folder / name)) for name in ("a.pt", "b.pt"))
        self.assertSame(first, second)
        self.assertFalse(torch.equal(first["norm.weight"], torch.ones(SHAPE.hidden_size)))  # it did learn

    def test_an_interrupted_run_ends_with_them_too(self):
        whole, path = weights_after(begin(self.folder, self.folder / "whole.pt")), self.folder / "parts.pt"
        broken = begin(self.folder, path)
        for _ in range(4):
            broken.step()
        broken.save()
        resumed = begin(self.folder, path)
        self.assertSame(whole, weights_after(resumed))
        self.assertEqual(resumed.state["tokens"], 3 * 32 + 3 * 32)

    def test_the_mean_is_that_of_the_steps_to_keep(self):
        run = begin(self.folder, self.folder / "kept.pt", replace(SCHEDULE, kept=(2, 6)))
        last = weights_after(run)
        first, end = (torch.load(self.folder / f"step-{step}.pt", weights_only=False) for step in (2, 6))
        mean = mean_of([end, first])
        self.assertEqual(mean["state"]["mean_of"], [2, 6])
        self.assertSame(mean["model"], {name: (first["model"][name] + last[name]) / 2 for name in last})
        self.assertFalse(torch.equal(first["model"]["norm.weight"], last["norm.weight"]))


class TestSchedule(unittest.TestCase):
    def test_rates_rise_stay_and_fall(self):
        schedule = replace(SCHEDULE, steps=1000)
        self.assertEqual(
            [round(schedule.factor(step), 3) for step in (0, 5, 10, 400, 700, 1000)], [0.02, 0.52, 1.0, 1.0, 0.5, 0.0]
        )
        self.assertEqual(replace(schedule, decay_from=1.0).factor(999), 1.0)

    def test_committed_schedules_are_read(self):
        paths = list(Path(loop.__file__).parents[1].rglob("*.json"))
        schedules = [path for path in paths if path.name not in ("tasks.json", "office-questions.json")]
        self.assertEqual(len(schedules), 6)
        for path in schedules:
            self.assertGreater(read_schedule(path).steps, 0)

    def test_shares_that_do_not_add_up_are_refused(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "wrong.json"
        path.write_text(
            '{"steps": 1, "rates": {}, "phases": [{"until": 1.0, "rows": 1, "length": 1, "mix": {"stories": 0.9}}]}'
        )
        with self.assertRaisesRegex(ValueError, "add up to 0.9"):
            read_schedule(path)

    def test_a_step_to_keep_behind_the_end_is_refused(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "wrong.json"
        path.write_text('{"steps": 5, "rates": {}, "kept": [3, 6]}')
        with self.assertRaisesRegex(ValueError, "step 6 cannot be kept"):
            read_schedule(path)
