"""Measures the exported file through onnxruntime, beside baselines, on data that it was not trained on.

Writes the figures as JSON.
"""

import json
import os
import re
import time
from itertools import chain
from pathlib import Path

import numpy as np
import onnxruntime
from sklearn.feature_extraction.text import TfidfVectorizer
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.embedder.data import texts
from lightwell_training.embedder.data.tokenizer import LOWER_TABLE, fold_pieces
from lightwell_training.embedder.measure.scores import (
    bm25_scores,
    fit_probe,
    gain_of_scores,
    order_agreement,
    probe,
    recall_of_scores,
    standard,
    unit,
)
from lightwell_training.embedder.network.start import COMMON

READ = ("sts-dev", "squad-dev", "clinc-test", "intents", "pairs")

SIZES = (128, 256, 5120)
STRENGTHS = {128: 1024, 256: 1024, 5120: 256}  # of the probes, chosen with an earlier embedder on training sentences
SOURCES = ("medquad", "openstax-exercises")
DOCUMENTS = 4000


class Hub:
    """A finished model folder: texts in, embeddings out."""

    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            str(folder / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.prompts = json.loads((folder / "config_sentence_transformers.json").read_text())["prompts"]
        self.longest = json.loads((folder / "config.json").read_text())["max_position_embeddings"]

    def tokens(self, lines, representation):
        return [
            encoded.ids[: self.longest]
            for encoded in self.tokenizer.encode_batch(
                [self.prompts[representation] + line for line in lines], add_special_tokens=False
            )
        ]

    def run(self, rows):
        """float32 [texts, size] of lists of ids."""
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
        mask = (np.arange(ids.shape[1])[None] < np.array(list(map(len, rows)))[:, None]).astype(np.int64)
        return self.session.run(
            ["sentence_embedding"],
            {"input_ids": ids, "attention_mask": mask, "token_weights": np.ones(ids.shape, np.float32)},
        )[0]

    def embed(self, lines, representation, batch=32):
        rows = self.tokens(lines, representation)
        order, found = np.argsort([len(row) for row in rows]), None
        for start in range(0, len(rows), batch):
            picked = order[start : start + batch]
            part = self.run([rows[index] for index in picked])
            found = np.empty((len(rows), part.shape[1]), np.float32) if found is None else found
            found[picked] = part
        return found


def words_of(text):
    """Words of a text in lower case."""
    return re.findall(r"\w+", text.lower())


def measure_sts(hub, data, means):
    """Rank correlation on STS dev by length of the embedding, beside means of word vectors."""
    pairs = texts.read_sts(data / "eval" / "sts-dev.jsonl.xz")
    first, second, scores = zip(*pairs)
    a, b = hub.embed(first, "symmetric"), hub.embed(second, "symmetric")
    figures = {f"spearman.{size}": order_agreement(a[:, :size], b[:, :size], scores) for size in SIZES}
    figures["spearman.lexical"] = order_agreement(a[:, SIZES[1] :], b[:, SIZES[1] :], scores)
    for name, mean_vector in means.items():
        a, b = [np.stack([mean_vector(line) for line in side]) for side in (first, second)]
        figures[f"spearman.{name}"] = order_agreement(a, b, scores)
    return figures


def search(hub, questions, documents, right):
    """Recall and nDCG of the right document, by length of the embedding, beside BM25 and the sum with BM25."""
    queries, found = hub.embed(questions, "query"), hub.embed(documents, "document")
    matching = bm25_scores([words_of(line) for line in questions], [words_of(line) for line in documents])
    scored = {str(size): unit(queries[:, :size]) @ unit(found[:, :size]).T for size in SIZES}
    scored |= {"BM25": matching, "sum with BM25": standard(scored[str(SIZES[-1])]) + standard(matching)}
    figures = {"questions": len(questions), "documents": len(documents)}
    for name, scores in scored.items():
        figures |= {f"recall@{among}.{name}": recall_of_scores(scores, right, among) for among in (1, 10)}
        figures[f"nDCG@10.{name}"] = gain_of_scores(scores, right)
    return figures


def measure_squad(hub, data):
    """Questions among all paragraphs of the set."""
    rows = texts.read_squad(data / "eval" / "squad-v1.1-dev-a.jsonl.xz")
    paragraphs = list(dict.fromkeys(row[1] for row in rows))
    places = {paragraph: place for place, paragraph in enumerate(paragraphs)}
    return search(hub, [row[0] for row in rows], paragraphs, np.array([places[row[1]] for row in rows]))


def measure_source(hub, data, source):
    """Held-out queries of a source of pairs among DOCUMENTS of its documents, the held-out ones among them."""
    pairs = [(a, b) for a, b, name in texts.read_pairs(data) if name == source]
    documents = sorted({b for _, b in pairs}, key=lambda text: (not texts.is_held_out(text), text))[:DOCUMENTS]
    places = {document: place for place, document in enumerate(documents)}
    held = [(a, b) for a, b in pairs if texts.is_held_out(b)]
    return search(hub, [a for a, _ in held], documents, np.array([places[b] for _, b in held]))


def measure_clinc(hub, data):
    """Accuracy of logistic regression on CLINC150, by length of the embedding, beside TF-IDF."""
    train = [
        (text, label.removeprefix("clinc:")) for text, label in texts.read_intents(data) if label.startswith("clinc:")
    ]
    test = [(row["text"], row["label"]) for row in texts.read_lines(data / "eval" / "clinc150-test.jsonl.xz")]
    known = {label for _, label in train}
    test = [row for row in test if row[1] in known]
    numbers = {label: number for number, label in enumerate(sorted(known))}
    (lines, labels), (test_lines, test_labels) = zip(*train), zip(*test)
    labels, test_labels = (np.array([numbers[label] for label in side]) for side in (labels, test_labels))
    figures = {"train": len(train), "test": len(test)}
    for name, ranges in (("TF-IDF of words", (1, 1)), ("TF-IDF of words and word pairs", (1, 2))):
        matcher = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+", ngram_range=ranges).fit(lines)
        figures[f"accuracy.{name}"], figures[f"C.{name}"] = probe(
            matcher.transform(lines), labels, matcher.transform(test_lines), test_labels
        )
    a, b = hub.embed(lines, "symmetric"), hub.embed(test_lines, "symmetric")
    for size, strength in STRENGTHS.items():
        weights, bias = fit_probe(a[:, :size], labels, strength)
        figures[f"accuracy.{size}"] = float(((b[:, :size] @ weights + bias).argmax(1) == test_labels).mean())
    return figures


def measure_speed(hub, data):
    """Seconds for 100 short texts in one batch, for one of them alone, and for one text of 512 tokens.

    Each is the least of five runs on one thread.
    """
    rows = hub.tokens([row[0] for row in texts.read_sts(data / "eval" / "sts-dev.jsonl.xz")[:100]], "symmetric")
    paragraphs = [row[1] for row in texts.read_squad(data / "eval" / "squad-v1.1-dev-a.jsonl.xz")[:200:10]]
    long = list(chain.from_iterable(hub.tokens(paragraphs, "document")))[:512]

    def least(rows):
        times = []
        for _ in range(5):
            began = time.perf_counter()
            hub.run(rows)
            times.append(time.perf_counter() - began)
        return min(times)

    return {
        "tokens of 100 short texts": sum(map(len, rows)),
        "100 short texts": least(rows),
        "one short text": least(rows[:1]),
        "one text of 512 tokens": least([long]),
    }


def make_means(work):
    """The baselines: mean of the public word vectors, as they are and weighted by smooth inverse frequency."""
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    tokenizer.normalizer = None
    stored, row_of = np.load(work / "vectors.npz"), np.array(fold_pieces(tokenizer)[0])

    def mean_of(table):
        return lambda line: table[row_of[tokenizer.encode(line.translate(LOWER_TABLE)).ids]].sum(0)

    weighted = stored["vectors"] * (COMMON / (COMMON + stored["shares"]))[:, None]
    return {"mean of word vectors": mean_of(stored["vectors"]), "weighted mean of word vectors": mean_of(weighted)}


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--work", type=Path, required=True, help="folder that the steps prepare and vectors wrote")
    parser.add_argument("--model", type=Path, required=True, help="the model's folder")
    parser.add_argument("--out", type=Path, required=True, help="where the figures go")
    parser.add_argument("--only", nargs="*", default=["sts", "squad", "sources", "clinc", "speed"])


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    hub, figures = Hub(arguments.model), {}
    measures = {
        "sts": lambda: measure_sts(hub, arguments.data, make_means(arguments.work)),
        "squad": lambda: measure_squad(hub, arguments.data),
        "sources": lambda: {name: measure_source(hub, arguments.data, name) for name in SOURCES},
        "clinc": lambda: measure_clinc(hub, arguments.data),
        "speed": lambda: measure_speed(hub, arguments.data),
    }
    for name in arguments.only:
        figures[name] = measures[name]()
        print(name, json.dumps(figures[name], indent=1), flush=True)
    figures["bytes"] = {
        file.name: os.path.getsize(file)
        for file in sorted(arguments.model.rglob("*"))
        if file.is_file() and file.suffix != ".md"
    }
    arguments.out.write_text(json.dumps(figures, indent=2) + "\n")
