"""Checks the public word vectors of the reader, and which words its tokenizer takes whole."""

import io
import json
import tarfile
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from lightwell_training.corpora import word_vectors
from lightwell_training.corpora.sources import WrongCorpusError
from lightwell_training.reader.data.words import choose


class TestWordVectors(unittest.TestCase):
    def test_the_two_numbers_behind_a_vector_are_cut_off(self):
        words, found = word_vectors.arrays_of({"words": ["a", "b"], "vectors": {"b": [2.0] * 102, "a": [1.0] * 102}})
        self.assertEqual((words.tolist(), found.shape, found[1, 0]), (["a", "b"], (2, 100), 2.0))

    def test_the_archive_is_read_and_another_is_refused(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / f"{word_vectors.PACKAGE}-{word_vectors.VERSION}.tgz"
        stored = json.dumps({"words": ["a"]}).encode()
        with tarfile.open(path, "w:gz") as archive:
            entry = tarfile.TarInfo(f"package/{word_vectors.PACKAGE}.json")
            entry.size = len(stored)
            archive.addfile(entry, io.BytesIO(stored))
        self.assertEqual(word_vectors.read_archive(path), {"words": ["a"]})
        with self.assertRaisesRegex(WrongCorpusError, "expected SHA-256"):
            word_vectors.verified(path)

    def test_words_of_texts_and_of_the_vectors_are_chosen_by_their_share(self):
        counts = Counter({"ferry": 8, "zürich": 4, "the": 12})
        chosen = choose(counts, ["the", "--", "serum", "12345", "ferry"], size=3)
        self.assertEqual(chosen[:2], ["the", "ferry"])
        self.assertNotIn("--", choose(counts, ["the", "--"], size=100))
