"""Checks the reader's examples, batches, loss and calibration, and that the graph computes what the network does."""

import io
import tempfile
import unittest
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
for name in ("onnxruntime", "sklearn", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} is not installed")

from lightwell_training.loop.run import train
from lightwell_training.loop.schedule import Schedule
from lightwell_training.reader.data.batches import LONGEST, WORKERS, Questions, framed, loaded, pack
from lightwell_training.reader.data.corpus import all_starts, answer_tokens, store
from lightwell_training.reader.data.nearest import NONE, nearest_others
from lightwell_training.reader.data.swaps import Swapper
from lightwell_training.reader.export import verify, write_model
from lightwell_training.reader.measure.calibrate import fit
from lightwell_training.reader.measure.figures import whole_words
from lightwell_training.reader.measure.scores import best_span, predictions
from lightwell_training.reader.network import Reader, load_checkpoint
from lightwell_training.reader.train import ReaderRun, loss_of, taught_loss
from lightwell_training.trunk.graph import round_as_stored
from lightwell_training.trunk.network import HIDDEN, Trunk, TrunkShape
from lightwell_training.trunk.vocabulary import CLS_ID, PAD_ID, SEP_ID

SHAPE = TrunkShape(pieces=60, width=24, heads=2, layers=1, inner=32)
RANDOM = np.random.default_rng


def reader():
    torch.manual_seed(0)
    model = Reader(Trunk(SHAPE))
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn(parameter.shape)
    return model.eval()


class Numbers:
    """Questions of one token each, of fifty kinds."""

    def __len__(self):
        return 2000

    def example(self, index, random, negative):
        return framed(np.array([10 + index % 50]), np.array([9]), np.array([[0, 0]]), random)


class Exchange:
    """A similarity by which all texts are alike."""

    def prepare(self, phrases):
        list(phrases)

    def __call__(self, one, others):
        return np.full(len(others), 0.5)


class TestExamples(unittest.TestCase):
    def test_an_answer_is_found_by_its_characters_at_every_place_that_may_be_meant(self):
        self.assertEqual(answer_tokens([(0, 3), (4, 9), (10, 14)], 5, 7), (1, 2))
        answer = {"text": "red", "start": 8}
        self.assertEqual(all_starts("red, or red", answer, 1), [8])
        self.assertEqual(all_starts("red, or red", answer, 2), [0, 8])

    def test_a_long_passage_becomes_a_window_with_an_answer(self):
        passage = np.arange(10, 10 + 2 * LONGEST)
        for seed in range(20):
            ids, first, spans = framed(np.arange(5), passage, np.array([[400, 402]]), RANDOM(seed))
            self.assertEqual((len(ids), ids[0], ids[first - 1], ids[-1]), (LONGEST, CLS_ID, SEP_ID, SEP_ID))
            self.assertEqual([list(ids[a : b + 1]) for a, b in spans], [[410, 411, 412]])

    def test_without_an_answer_the_first_place_is_right(self):
        example = framed(np.array([7, 8]), np.array([9] * 5), np.empty((0, 2), int), RANDOM(0))
        ids, mask, types, targets = pack([example])
        self.assertEqual(ids.shape, (1, 16))
        self.assertEqual((int(mask.sum()), int(types.sum()), int(ids[0, -1])), (10, 6, PAD_ID))
        self.assertEqual(targets.nonzero().tolist(), [[0, 0, 0], [1, 0, 0]])

    def test_a_negative_is_a_changed_question_or_a_passage_without_the_answer(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "part.npz"
        lists = {
            "passages": [[20] * 30 + [21] * 30, [30] * 40],
            "sentences": [[0] * 30 + [1] * 30, [0] * 40],
            "questions": [[10, 11], [14]],
            "swapped": [[], [12, 13], [], []],
            "spans": [[3, 4], []],
            **{f"told.{name}": [] for name in ("questions", "passages", "spans")},
        }
        lists |= {f"told.{name}": [row] for name, row in zip(("questions", "passages", "spans"), ([5], [6, 7], [1, 1]))}
        arrays = {"passage_of": [0, 0], "title_of": [0, 0], "nearest": [1, 1]}
        store(path, lists, **{name: np.array(values, np.int32) for name, values in arrays.items()})
        questions = Questions(path)
        drawn = {tuple(map(tuple, questions.negative(0, RANDOM(seed)))) for seed in range(60)}
        self.assertEqual(
            drawn,
            {
                ((12, 13), tuple([20] * 30 + [21] * 30)),
                ((10, 11), tuple([21] * 30)),
                ((10, 11), tuple([30] * 40)),
            },
        )
        self.assertEqual(questions.example(2, RANDOM(0), True)[2], [(4, 4)])
        self.assertEqual([questions.example(1, RANDOM(seed), False)[2] for seed in range(9)], [[(0, 0)]] * 9)

    def test_the_nearest_other_passage_has_the_words_and_not_the_answer(self):
        texts = ["The ferry sails at nine.", "The ferry sails in May at nine.", "The ferry is old.", "A hill."]
        rows = [{"title": "a", "question": "When does the ferry sail?", "answers": [{"text": "nine"}]}]
        found = nearest_others(rows, [("a", text) for text in texts], [0])
        self.assertEqual(found.tolist(), [2])
        self.assertEqual(nearest_others(rows, [("a", texts[0])], [0]).tolist(), [NONE])

    def test_a_name_is_exchanged_for_another_of_the_article(self):
        context = "In May the ferry of Ada sails to Malta, not to Corsica."
        changed = {Swapper([("a", context)], seed, Exchange()).swap("who sails to Malta?", 0) for seed in range(30)}
        self.assertIn("who sails to Corsica?", changed)
        self.assertNotIn("who sails to Malta?", changed)


class TestBatches(unittest.TestCase):
    def test_a_training_that_continues_gets_the_batches_that_it_would_have_got(self):
        def asked(first, until):
            return [int(ids[0, 1]) for ids, *_ in islice(loaded(Numbers(), 1, 1, first), until - first)]

        whole = asked(0, 3 * WORKERS)
        self.assertGreater(len(set(whole)), WORKERS)
        for first in (1, WORKERS + 2):
            self.assertEqual(asked(first, 3 * WORKERS), whole[first:])


class TestTraining(unittest.TestCase):
    def test_an_interrupted_training_ends_with_the_same_weights(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        schedule = Schedule(steps=4, rates={"matrices": 0.01, "others": 0.01})

        def begin(name):
            torch.manual_seed(3)
            return ReaderRun(folder / name, schedule, reader().train(), Numbers(), seed=5)

        whole, log = begin("whole.pt"), io.StringIO()
        train(whole, log)
        broken = begin("parts.pt")
        for _ in range(2):
            broken.step()
        broken.save()
        resumed = begin("parts.pt")
        train(resumed, log)
        for name, values in whole.network.state_dict().items():
            self.assertTrue(torch.equal(values, resumed.network.state_dict()[name]), name)
        model, saved = load_checkpoint(folder / "whole.pt")
        self.assertEqual((saved["state"]["step"], saved["seed"]), (4, 5))
        self.assertIn("threads", saved["device"])
        self.assertFalse(torch.equal(model.span.weight, reader().span.weight))  # it did learn


class TestNetwork(unittest.TestCase):
    def test_dropout_is_for_training_only(self):
        model, ids = reader(), torch.arange(5, 11)[None]
        mask, types = torch.ones_like(ids), torch.tensor([[0, 0, 0, 1, 1, 1]])
        before = model(ids, mask, types)
        for layer in model.trunk.layers:
            layer.dropout = 0.5
        self.assertTrue(torch.equal(model(ids, mask, types), before))
        model.train()
        self.assertFalse(torch.allclose(model(ids, mask, types), before, atol=0.01))

    def test_only_the_passage_and_the_first_place_can_be_chosen(self):
        ids = torch.full((1, 6), 9)
        mask, types = torch.tensor([[1, 1, 1, 1, 1, 0]]), torch.tensor([[0, 0, 0, 1, 1, 0]])
        with torch.no_grad():
            logits = reader()(ids, mask, types)
        self.assertEqual((logits < HIDDEN / 2).tolist(), [[[False, True, True, False, False, True]]] * 2)

    def test_the_loss_takes_any_right_place(self):
        def logits(ids, mask, types):
            return torch.tensor([[[0.0, 5.0, 5.0]], [[0.0, 5.0, 5.0]]])

        targets = torch.zeros(2, 1, 3)
        targets[:, 0, 1] = 1.0
        one = loss_of(logits, (targets, None, None, targets))
        targets[:, 0, 2] = 1.0
        self.assertAlmostEqual(float(one - loss_of(logits, (targets, None, None, targets))), 2 * np.log(2), places=4)

    def test_a_share_of_the_loss_is_by_the_teacher_s_chances(self):
        def teacher(ids, mask, types):
            return torch.tensor([[[3.0, 1.0, HIDDEN]], [[0.0, 2.0, HIDDEN]]])

        def student(ids, mask, types):
            return torch.tensor([[[1.0, 1.0, HIDDEN]], [[2.0, 2.0, HIDDEN]]])

        targets = torch.tensor([[[1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]])
        batch = (targets, None, None, targets)
        own, taught = student(*batch[:3]), teacher(*batch[:3])
        # At temperature 2 the teacher's logits differ by 1: its chances are 0.7311 and 0.2689, the student's are equal.
        expected = 2 * 4 * (np.log(2) + 0.7311 * np.log(0.7311) + 0.2689 * np.log(0.2689))
        self.assertAlmostEqual(float(taught_loss(own, taught)), expected, places=3)
        self.assertAlmostEqual(float(taught_loss(taught, taught)), 0.0, places=5)
        self.assertAlmostEqual(float(loss_of(student, batch, teacher)), 0.3 * 2 * np.log(2) + 0.7 * expected, places=3)

    def test_the_graph_computes_what_the_network_does(self):
        model, path = reader(), Path(self.enterContext(tempfile.TemporaryDirectory())) / "model.onnx"
        write_model(model, path)
        self.assertGreater(verify(path, model)["torch"], 1e-4)
        round_as_stored(model.trunk)
        self.assertLess(max(verify(path, model).values()), 1e-4)


class TestAnswers(unittest.TestCase):
    def test_a_span_is_in_the_passage(self):
        logits = np.array([5.0, 8.0, 8.0, 1.0, 3.0, 2.0, 9.0])
        self.assertEqual(best_span(logits, logits, 3), (4, 4, -4.0))

    def test_an_answer_has_whole_words(self):
        text = "Ana likes £1,140 and zoë's 1960s."
        for part, whole in {"ike": "likes", "14": "140", "zo": "zoë", "1960": "1960", "likes ": "likes "}.items():
            begin = text.index(part)
            self.assertEqual(whole_words(text, begin, begin + len(part)), whole)


class TestCalibration(unittest.TestCase):
    def test_scale_and_bias_are_those_that_the_answers_came_from(self):
        margins = RANDOM(0).normal(0, 4, 20_000)
        right = RANDOM(1).random(20_000) < 1 / (1 + np.exp(-(0.7 * margins - 0.4)))
        self.assertTrue(np.allclose(fit(margins, right), (0.7, -0.4), atol=0.05))

    def test_a_prediction_has_margin_answer_and_agreement(self):
        example = framed(np.array([7, 8]), np.arange(20, 30), np.array([[2, 3]]), RANDOM(0))
        empty = framed(np.array([7, 8]), np.arange(20, 30), np.empty((0, 2), int), RANDOM(0))
        rows = predictions(reader(), [example, empty])
        self.assertEqual(rows[:, 1].tolist(), [1.0, 0.0])
        self.assertEqual(rows[1, 2], 0.0)
        self.assertAlmostEqual(rows[0, 0], rows[1, 0], places=4)
