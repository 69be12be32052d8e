"""Checks what the embedder is trained on: vocabulary, tokenizer, word vectors, hard negatives."""

import io
import json
import tarfile
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")
pytest.importorskip("scipy", reason="scipy is not installed")
pytest.importorskip("torch", reason="torch is not installed")

from lightwell_training.corpora import word_vectors
from lightwell_training.corpora.sources import WrongCorpusError
from lightwell_training.embedder.data import batches, negatives, vectors
from lightwell_training.embedder.data.tokenizer import LOWER_TABLE, add_words, fold_pieces, train_fallback
from lightwell_training.embedder.data.vocabulary import choose, count_words

TEXTS = ["The ferry leaves at nine.", "the ferries left at ten (ferry)", "Über Zürich, 1945: 人"] * 4


def tokenizer_of(words):
    return add_words(train_fallback(TEXTS), words)


class TestVocabulary(unittest.TestCase):
    def test_words_of_texts_and_of_the_vectors_are_chosen_by_their_share(self):
        counts = count_words(text.translate(LOWER_TABLE) for text in TEXTS)
        self.assertEqual((counts["ferry"], counts["zürich"], counts["1945"]), (8, 4, 4))
        chosen = choose(counts, ["the", "--", "serum", "12345", "ferry"], size=3)
        self.assertEqual(chosen[:2], ["the", "ferry"])
        self.assertNotIn("--", choose(counts, ["the", "--"], size=100))

    def test_a_word_is_one_piece_with_and_without_a_space_and_other_texts_add_up_to_their_bytes(self):
        tokenizer = tokenizer_of(["metformin", "zürich"])
        self.assertEqual(tokenizer.encode("Metformin Metformin-zürich").tokens[:2], ["metformin", "Ġmetformin"])
        self.assertIn("ĠzÃ¼rich", tokenizer.encode("at Zürich").tokens)
        for text in (*TEXTS, "hydrochlorothiazide 人"):
            self.assertEqual(sum(map(len, tokenizer.encode(text).tokens)), len(text.encode()))

    def test_forms_of_a_word_share_a_row_and_stems_share_a_term(self):
        tokenizer = tokenizer_of(["disease", "diseases"])
        row_of, term_of = fold_pieces(tokenizer)
        one, bare, many = (tokenizer.token_to_id(piece) for piece in ("Ġdisease", "disease", "Ġdiseases"))
        self.assertEqual(row_of[one], row_of[bare])
        self.assertNotEqual(row_of[one], row_of[many])
        self.assertEqual(term_of[one], term_of[many])


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

    def test_a_row_finds_its_word_and_rows_without_one_are_zero(self):
        found, ranks = vectors.look_up(["<pad>", "the", "ab"], np.array([0, 1, 2]), ["of", "the"], np.ones((2, 3)))
        self.assertEqual((found.sum(1).tolist(), ranks.tolist()), ([0, 3, 0], [1, 1, 1]))


class TestNegatives(unittest.TestCase):
    def test_the_best_other_documents_come_first(self):
        texts = [[0, 1], [0, 1, 2], [0, 3, 4], [7, 8, 9], [5, 6, 8], [0, 1, 1]]  # a query, then documents
        ids, offsets = np.concatenate(texts), np.cumsum([0, *map(len, texts)])
        terms = np.arange(10)
        counts = negatives.count_terms(ids, offsets, np.arange(1, 6), terms)
        self.assertEqual(counts.toarray()[4].tolist(), [1, 2, *[0] * 8])
        queries = negatives.count_terms(ids, offsets, np.array([0]), terms)
        found = negatives.best_others(queries, counts, np.array([0]), kept=2)
        self.assertEqual(found.tolist(), [[4, 1]])

    def test_common_terms_are_not_searched_for(self):
        counts = negatives.count_terms(
            np.array([0, 1, *[0] * 30]), np.array([0, 2, *range(3, 33)]), np.arange(31), np.arange(2)
        )
        weighed = negatives.weigh(counts).toarray()
        self.assertGreater(weighed[0, 1], 0)
        self.assertEqual(weighed[:, 0].sum(), 0)

    def test_no_negative_is_an_answer_of_the_batch(self):
        store = SimpleNamespace(
            sets={"squad": np.array([[0, 10, 0], [1, 11, 0]])}, negatives={"squad": np.array([[11, 11], [12, 12]])}
        )
        found = batches.draw_negatives(store, "squad", np.array([0, 1]), np.random.default_rng(0))
        self.assertEqual(found.tolist(), [12])

    def test_sets_that_are_left_out_are_not_drawn(self):
        drawn = {batches.task_of(np.random.default_rng(step), ("pairs.medquad",)) for step in range(200)}
        self.assertNotIn("pairs.medquad", drawn)
        self.assertIn("squad", drawn)
