"""Measures the exported file through onnxruntime, beside baselines, on data that it was not trained on.

Baselines are BM25 and all-MiniLM-L6-v2 as it is published. Writes the figures as JSON.
"""

import json
import os
import re
import time
from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from lightwell_training.corpora import texts
from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.embedder.encode import in_batches, token_rows
from lightwell_training.embedder.measure.scores import (
    bm25_scores,
    fit_probe,
    gain_of_scores,
    order_agreement,
    recall_of_scores,
    standard,
    unit,
)
from lightwell_training.trunk.network import pretrained_trunk
from lightwell_training.trunk.pretrained import read_weights

READ = ("sts-dev", "squad-dev", "clinc-test", "intents", "pairs")

SIZES = (128, 384, 5120)
STRENGTH = 256  # C of the probes
SOURCES = ("medquad", "openstax-exercises")
QUERIES, DOCUMENTS = 300, 500  # of a search
PER_LABEL = 40  # training sentences of an intent


class Hub:
    """A finished model folder: texts in, embeddings out."""

    sizes = SIZES

    def __init__(self, folder, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        path = str(folder / "onnx" / "model.onnx")
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.longest = json.loads((folder / "config.json").read_text())["max_position_embeddings"]

    def run(self, ids, mask):
        """Embeddings [texts, size]."""
        feeds = {"input_ids": ids, "attention_mask": mask, "token_weights": np.ones(ids.shape, np.float32)}
        return self.session.run(["sentence_embedding"], feeds)[0]

    def embed(self, lines, representation):
        return in_batches(token_rows(self.tokenizer, lines, representation, self.longest), self.run)


class Published:
    """all-MiniLM-L6-v2 as it is published, in torch: the mean of its states, which texts up to 256 tokens have."""

    sizes, longest = (384,), 256

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(self.longest)
        self.trunk = pretrained_trunk(read_weights(folder), np.arange(self.tokenizer.get_vocab_size())).eval()

    def run(self, ids, mask):
        """Embeddings [texts, 384]."""
        ids, mask = torch.from_numpy(ids), torch.from_numpy(mask)
        with torch.inference_mode():
            return (mask[:, None].float() @ self.trunk(ids, mask))[:, 0].numpy()

    def embed(self, lines, representation):
        del representation
        return in_batches([encoded.ids for encoded in self.tokenizer.encode_batch_fast(list(lines))], self.run)


def words_of(text):
    """Words of a text in lower case."""
    return re.findall(r"\w+", text.lower())


def measure_sts(hub, data):
    """Rank correlation on STS dev by length of the embedding."""
    first, second, scores = zip(*texts.read_sts(data / "eval" / "sts-dev.jsonl.xz"))
    a, b = hub.embed(first, "symmetric"), hub.embed(second, "symmetric")
    return {f"spearman.{size}": order_agreement(a[:, :size], b[:, :size], scores) for size in hub.sizes}


def search(hub, questions, documents, right):
    """Recall and nDCG of the right document, by length of the embedding, beside BM25 and the sum with BM25."""
    queries, found = hub.embed(questions, "query"), hub.embed(documents, "document")
    matching = bm25_scores([words_of(line) for line in questions], [words_of(line) for line in documents])
    scored = {str(size): unit(queries[:, :size]) @ unit(found[:, :size]).T for size in hub.sizes}
    scored |= {"BM25": matching, "sum with BM25": standard(scored[str(hub.sizes[-1])]) + standard(matching)}
    figures = {"questions": len(questions), "documents": len(documents)}
    for name, scores in scored.items():
        figures |= {f"recall@{among}.{name}": recall_of_scores(scores, right, among) for among in (1, 10)}
        figures[f"nDCG@10.{name}"] = gain_of_scores(scores, right)
    return figures


def search_among(hub, pairs, documents):
    """Search of QUERIES of the pairs' queries among the first DOCUMENTS documents."""
    documents = documents[:DOCUMENTS]
    places = {document: place for place, document in enumerate(documents)}
    asked = [(a, places[b]) for a, b in pairs if b in places]
    asked = [asked[index] for index in np.random.default_rng(0).permutation(len(asked))[:QUERIES]]
    return search(hub, [a for a, _ in asked], documents, np.array([place for _, place in asked]))


def measure_squad(hub, data):
    """Questions among paragraphs of the set."""
    rows = texts.read_squad(data / "eval" / "squad-v1.1-dev-a.jsonl.xz")
    paragraphs = list(dict.fromkeys(row[1] for row in rows))
    return search_among(hub, [row[:2] for row in rows], paragraphs)


def measure_source(hub, data, source):
    """Held-out queries of a source of pairs among its documents, the held-out ones first."""
    pairs = [(a, b) for a, b, name in texts.read_pairs(data) if name == source]
    documents = sorted({b for _, b in pairs}, key=lambda text: (not texts.is_held_out(text), text))
    return search_among(hub, [(a, b) for a, b in pairs if texts.is_held_out(b)], documents)


def first_of_each(rows, count):
    """The first `count` of the rows (text, label) of each label."""
    seen = Counter()
    kept = []
    for row in rows:
        seen[row[1]] += 1
        if seen[row[1]] <= count:
            kept.append(row)
    return kept


def measure_clinc(hub, data):
    """Accuracy of logistic regression on CLINC150, by length of the embedding."""
    train = [
        (text, label.removeprefix("clinc:")) for text, label in texts.read_intents(data) if label.startswith("clinc:")
    ]
    train = first_of_each(train, PER_LABEL)
    test = [(row["text"], row["label"]) for row in texts.read_lines(data / "eval" / "clinc150-test.jsonl.xz")]
    numbers = {label: number for number, label in enumerate(sorted({label for _, label in train}))}
    (lines, labels), (test_lines, test_labels) = zip(*train), zip(*(row for row in test if row[1] in numbers))
    labels, test_labels = (np.array([numbers[label] for label in side]) for side in (labels, test_labels))
    figures = {"train": len(labels), "test": len(test_labels)}
    a, b = (unit(hub.embed(side, "symmetric")) for side in (lines, test_lines))
    for size in hub.sizes:
        weights, bias = fit_probe(a[:, :size], labels, STRENGTH)
        figures[f"accuracy.{size}"] = float(((b[:, :size] @ weights + bias).argmax(1) == test_labels).mean())
    return figures


def measure_speed(hub, data):
    """Seconds for 100 short texts in one batch, for one of them alone, and for one text of 512 tokens.

    Each is the least of five runs.
    """
    lines = [row[0] for row in texts.read_sts(data / "eval" / "sts-dev.jsonl.xz")[:100]]
    rows = token_rows(hub.tokenizer, lines, "symmetric", hub.longest)
    paragraphs = [row[1] for row in texts.read_squad(data / "eval" / "squad-v1.1-dev-a.jsonl.xz")[:200:10]]
    long = list(chain.from_iterable(token_rows(hub.tokenizer, paragraphs, "document", hub.longest)))[:512]

    def least(rows):
        times = []
        for _ in range(5):
            began = time.perf_counter()
            in_batches(rows, hub.run)
            times.append(time.perf_counter() - began)
        return min(times)

    return {
        "tokens of 100 short texts": sum(map(len, rows)),
        "100 short texts": least(rows),
        "one short text": least(rows[:1]),
        "one text of 512 tokens": least([long]),
    }


def measures(hub, data):
    """What is measured of a model, by name."""
    return {
        "sts": lambda: measure_sts(hub, data),
        "squad": lambda: measure_squad(hub, data),
        "sources": lambda: {name: measure_source(hub, data, name) for name in SOURCES},
        "clinc": lambda: measure_clinc(hub, data),
    }


def sizes_of(folder):
    """Bytes of each file of a model's folder but its card."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix != ".md")
    return {file.name: os.path.getsize(file) for file in files}


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--model", type=Path, required=True, help="the model's folder")
    parser.add_argument("--out", type=Path, required=True, help="where the figures go; those that are there are kept")
    parser.add_argument("--threads", type=int, default=2)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    hub = Hub(arguments.model, arguments.threads)
    figures = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    wanted = measures(hub, arguments.data) | {"speed": lambda: measure_speed(hub, arguments.data)}
    published = measures(Published(arguments.pretrained), arguments.data)
    wanted |= {f"published {name}": measure for name, measure in published.items()}
    for name, measure in wanted.items():
        if name not in figures:
            figures[name] = measure()
            print(name, json.dumps(figures[name]), flush=True)
            arguments.out.write_text(json.dumps(figures | {"bytes": sizes_of(arguments.model)}, indent=2) + "\n")
