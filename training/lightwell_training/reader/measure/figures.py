"""Figures of the exported file on SQuAD's development questions, each paragraph one text.

v1.1 measures answers, v2.0 whether there is one; word overlap is the baseline.
"""

import json
import re
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.corpora.texts import read_lines
from lightwell_training.reader.measure.scores import area, best_over, best_span, exact, f1

READ = ("squad-dev", "squad2-dev")

BATCH, POSITIONS = 16, 512
WORD = re.compile(r"\w+")
RUN = re.compile(r"[^\W\d_]+|\d+")  # letters or digits


def whole_words(text, begin, end):
    """The characters [begin, end), extended to all of a word or number of which they have a part, as the app does."""
    for run in RUN.finditer(text):
        if run.start() < begin < run.end():
            begin = run.start()
        if run.start() < end < run.end():
            end = run.end()
    return text[begin:end]


class File:
    """The exported file, asked as a service would ask it."""

    def __init__(self, folder, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(
            str(folder / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(POSITIONS, strategy="only_second")
        self.tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
        self.calibration = json.loads((folder / "config.json").read_text())["answer_calibration"]

    def answers(self, rows):
        """Text and score of the best span of each row's context."""
        order = sorted(range(len(rows)), key=lambda index: len(rows[index]["context"]))
        results = [None] * len(rows)
        for begin in range(0, len(order), BATCH):
            part = order[begin : begin + BATCH]
            encoded = self.tokenizer.encode_batch([(rows[index]["question"], rows[index]["context"]) for index in part])
            feeds = {
                "input_ids": [e.ids for e in encoded],
                "attention_mask": [e.attention_mask for e in encoded],
                "token_type_ids": [e.type_ids for e in encoded],
            }
            starts, ends = self.session.run(None, {name: np.array(values, np.int64) for name, values in feeds.items()})
            for row, index in enumerate(part):
                length = sum(encoded[row].attention_mask)
                logits = starts[row][:length], ends[row][:length]
                results[index] = self.answer(encoded[row], rows[index]["context"], *logits)
        return results

    def answer(self, encoding, context, start, end):
        """Text and score of one row."""
        first, last, margin = best_span(start, end, encoding.type_ids.index(1))
        text = whole_words(context, encoding.offsets[first][0], encoding.offsets[last][1])
        return text.strip(), 1 / (1 + np.exp(-(self.calibration["scale"] * margin + self.calibration["bias"])))


def overlap(row):
    """The sentence with the greatest share of the question's words, and that share."""
    asked = set(WORD.findall(row["question"].lower()))
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", row["context"]) if part]
    shares = [len(asked & set(WORD.findall(part.lower()))) / max(1, len(asked)) for part in sentences]
    best = int(np.argmax(shares))
    return sentences[best], shares[best]


def text_figures(rows, answers):
    """F1 and exact match of answers (text, score) in percent, the best over the gold answers."""
    texts = [[answer["text"] for answer in row["answers"]] for row in rows]
    return {
        name: round(
            100 * float(np.mean([best_over(metric, text, wanted) for (text, _), wanted in zip(answers, texts)])), 2
        )
        for name, metric in (("f1", f1), ("exact", exact))
    }


def by_question_word(rows, answers):
    """F1 per first word of the question, the frequent ones."""
    groups = {}
    for row, (text, _) in zip(rows, answers):
        words = row["question"].lower().split()
        word = "how many" if words[:2] == ["how", "many"] else words[0]
        groups.setdefault(word, []).append(best_over(f1, text, [answer["text"] for answer in row["answers"]]))
    return {
        word: [round(100 * float(np.mean(values)), 1), len(values)]
        for word, values in sorted(groups.items(), key=lambda item: -len(item[1]))[:9]
    }


def answered_share(rows, answers):
    """Shares of scores above one half among answerable questions and among others.

    Also how often a score above one half goes with a right answer.
    """
    sure = np.array([score > 0.5 for _, score in answers])
    has = np.array([bool(row["answers"]) for row in rows])
    right = np.array(
        [
            bool(row["answers"]) and best_over(f1, text, [a["text"] for a in row["answers"]]) >= 0.5
            for row, (text, _) in zip(rows, answers)
        ]
    )
    return {
        "answerable": round(100 * float(sure[has].mean()), 1),
        "unanswerable": round(100 * float(sure[~has].mean()), 1),
        "right": round(100 * float(right[sure].mean()), 1),
    }


def answer_figures(rows, answers):
    """Figures of the answers' texts."""
    return {
        "questions": len(rows),
        "reader": text_figures(rows, answers),
        "overlap": text_figures(rows, [overlap(row) for row in rows]),
        "by_word": by_question_word(rows, answers),
    }


def presence_figures(rows, answers):
    """Figures of whether there is an answer at all."""
    has = [bool(row["answers"]) for row in rows]
    return {
        "questions": len(rows),
        "answerable": sum(has),
        "reader": round(100 * area([score for _, score in answers], has), 2),
        "overlap": round(100 * area([overlap(row)[1] for row in rows], has), 2),
        "over_half": answered_share(rows, answers),
    }


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="measure every so many questions only")


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    file = File(arguments.model, arguments.threads)
    sets = [
        read_lines(arguments.data / "eval" / f"squad-{name}-dev-a.jsonl.xz")[:: arguments.every]
        for name in ("v1.1", "v2.0")
    ]
    rows = list({row["id"]: row for part in sets for row in part}.values())  # v2.0 repeats questions of v1.1
    began = time.time()
    answers = {row["id"]: answer for row, answer in zip(rows, file.answers(rows))}
    milliseconds = round(1000 * (time.time() - began) / len(rows), 1)
    figures = {
        "v1": answer_figures(sets[0], [answers[row["id"]] for row in sets[0]])
        | {"milliseconds": milliseconds, "threads": arguments.threads},
        "v2": presence_figures(sets[1], [answers[row["id"]] for row in sets[1]]),
    }
    arguments.out.write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures))
