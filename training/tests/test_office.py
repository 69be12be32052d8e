"""Checks the questions about office texts that the reader is trained on."""

import json
import unittest

import pytest

for name in ("numpy", "sklearn", "tokenizers"):
    pytest.importorskip(name, reason=f"{name} is not installed")

from lightwell_training.reader.data.corpus import answer_places, office_documents, office_rows, training_documents
from lightwell_training.repository import office_questions


class TestOffice(unittest.TestCase):
    def test_no_text_is_read_that_the_reader_is_measured_on(self):
        documents = json.loads(office_questions().read_text(encoding="utf-8"))
        measured = {document["text"] for document in documents if document["part"] != "training"}
        rows = office_rows(office_documents())
        self.assertEqual(len(measured & {row["context"] for row in rows}), 0)
        self.assertEqual(len({row["context"] for row in rows}), 182)
        self.assertEqual(len({(row["title"], row["question"]) for row in rows}), len(rows))
        self.assertEqual(len(office_rows(training_documents())), 100)

    def test_answers_are_characters_of_the_text_and_some_questions_have_none(self):
        rows = office_rows(office_documents())
        for row in rows:
            for answer in row["answers"]:
                begin = answer["start"]
                self.assertEqual(row["context"][begin : begin + len(answer["text"])], answer["text"])
        self.assertGreater(sum(not row["answers"] for row in rows), len(rows) // 2)

    def test_all_answers_to_a_question_about_an_office_text_are_right(self):
        row = {"context": "a b", "all": True, "answers": [{"text": "a", "start": 0}, {"text": "a b", "start": 0}]}
        self.assertEqual(answer_places(row), [(0, 1), (0, 3)])
        self.assertEqual(answer_places({**row, "all": False, "occurrences": 1}), [(0, 1)])
