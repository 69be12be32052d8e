"""Tokenises the questions of SQuAD for the training, each with changed forms that its passage does not answer.

Writes OUT/train.npz, OUT/held.npz and OUT/office.npz. The articles of the second are for choices and for calibration,
never trained on. The third has all questions about office texts, the first a part of them.
"""

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from lightwell_training.corpora.sources import add_data_option, check
from lightwell_training.corpora.texts import SENTENCE, read_lines
from lightwell_training.reader.data.nearest import nearest_others
from lightwell_training.reader.data.phrases import PhraseVectors
from lightwell_training.reader.data.statements import found_names, statements
from lightwell_training.reader.data.swaps import NAME, WORD, Swapper
from lightwell_training.repository import office_questions

OFFICE = Path(__file__).with_name("office-questions.json")
READ = ("squad", "wikipedia")
HELD_TITLES = 26  # of 442 articles
SWAPS = 2  # changed forms of a question
STATEMENTS = 6000  # rows of short texts, a tenth of it for the held-out part
OFFICE_REPEATS = 6  # times that each question of the evaluation's part `training` is among the rows of train.npz


def answer_tokens(offsets, start, length):
    """First and last token of the characters [start, start + length)."""
    inside = [index for index, (a, b) in enumerate(offsets) if b > start and a < start + length]
    return inside[0], inside[-1]


def all_starts(context, answer, occurrences):
    """Where the answer stands: its given place, or every place when the data says it is ambiguous."""
    if occurrences < 2:
        return [answer["start"]]
    starts, at = [], context.find(answer["text"])
    while at >= 0:
        starts.append(at)
        at = context.find(answer["text"], at + 1)
    return starts or [answer["start"]]


def sentences_of(text, offsets):
    """The number of the sentence that each token is in, int32 [tokens]."""
    stops = [match.start() for match in SENTENCE.finditer(text)]
    return np.searchsorted(stops, [start for start, _ in offsets], side="right").astype(np.int32)


def flat(rows, kind=np.int32):
    """Rows of different lengths as one array and the offsets [rows + 1] of each."""
    arrays = [np.array(row, kind).reshape(-1) for row in rows]
    return np.concatenate([np.empty(0, kind), *arrays]), np.cumsum([0, *map(len, arrays)])


def store(path, lists, **arrays):
    """Writes lists of rows of different lengths, each as NAME and NAME.offsets, and further arrays."""
    for name, rows in lists.items():
        arrays[name], arrays[f"{name}.offsets"] = flat(rows)
    np.savez(path, **arrays)


def tokenised(tokenizer, texts):
    """Token ids of texts, without special tokens."""
    return [item.ids for item in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


def swapped(rows, contexts, places, similarity, seed):
    """SWAPS changed forms of each question, "" where nothing could be exchanged, as one list."""
    similarity.prepare(phrase for row in rows for kind in (NAME, WORD) for phrase in kind.findall(row["question"]))
    swapper = Swapper(contexts, seed, similarity)
    return [
        swapper.swap(row["question"].strip(), places[row["title"], row["context"]]) or ""
        for row in rows
        for _ in range(SWAPS)
    ]


def statement_rows(rows):
    """Rows for `told` of rows (kind, question, statement, answer or None)."""
    return [
        (question, statement, [] if answer is None else [(statement.index(answer), len(answer))])
        for _, question, statement, answer in rows
    ]


def training_documents():
    """Office texts of the part `training`, each with its questions."""
    documents = json.loads(office_questions().read_text(encoding="utf-8"))
    return [document for document in documents if document["part"] == "training"]


def office_documents():
    """Office texts of the part `training`, and those beside this file, each with its questions; `id` names a text."""
    training = {document["id"]: document for document in training_documents()}
    own = json.loads(OFFICE.read_text(encoding="utf-8"))
    return [*training.values(), *({**training.get(document["id"], {}), **document} for document in own)]


def spans_in(text, answers):
    """Answers, objects with `start` or texts that stand in `text`, as objects with text and start in characters."""
    return [answer if isinstance(answer, dict) else {"text": answer, "start": text.index(answer)} for answer in answers]


def office_rows(documents):
    """Rows like those of SQuAD of the questions about office texts, each once; some have no answer, others several."""
    return [
        {
            "title": f"office {document['id']}",
            "context": document["text"],
            "question": asked["question"],
            "answers": spans_in(document["text"], asked["answers"]),
            "occurrences": 1,
            "all": True,
        }
        for document in documents
        for asked in document["questions"]
    ]


def answer_places(row):
    """Where the answers of a row stand, (start, length): all of an office text's, else the first answer's."""
    if row.get("all"):
        return [(answer["start"], len(answer["text"])) for answer in row["answers"]]
    answer = row["answers"][0]
    return [(start, len(answer["text"])) for start in all_starts(row["context"], answer, row["occurrences"])]


def told(tokenizer, rows):
    """Questions, passages and spans of rows (question, passage, answers as start and length in characters)."""
    spans = []
    for _, passage, answers in rows:
        offsets = tokenizer.encode(passage, add_special_tokens=False).offsets
        spans.append([answer_tokens(offsets, *answer) for answer in answers])
    questions, passages = (tokenised(tokenizer, (row[column] for row in rows)) for column in (0, 1))
    return {"told.questions": questions, "told.passages": passages, "told.spans": spans}


def write_part(path, rows, others, tokenizer, similarity, seed):
    """Tokenises the rows of one part, and the other rows, see `told`, that belong to it."""
    contexts = list(dict.fromkeys((row["title"], row["context"]) for row in rows))
    places = {key: index for index, key in enumerate(contexts)}
    encoded = tokenizer.encode_batch([text for _, text in contexts], add_special_tokens=False)
    spans = []
    for row in rows:
        offsets = encoded[places[row["title"], row["context"]]].offsets
        spans.append([answer_tokens(offsets, *place) for place in answer_places(row)])
    titles = list(dict.fromkeys(title for title, _ in contexts))
    lists = {
        "passages": [item.ids for item in encoded],
        "sentences": [sentences_of(text, item.offsets) for (_, text), item in zip(contexts, encoded)],
        "questions": tokenised(tokenizer, (row["question"].strip() for row in rows)),
        "swapped": tokenised(tokenizer, swapped(rows, contexts, places, similarity, seed)),
        "spans": spans,
        **told(tokenizer, others),
    }
    own = np.array([places[row["title"], row["context"]] for row in rows], np.int32)
    store(
        path,
        lists,
        passage_of=own,
        title_of=np.array([titles.index(title) for title, _ in contexts], np.int32),
        nearest=nearest_others(rows, contexts, own),
    )


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)
    parser.add_argument("--pretrained", type=Path, required=True, help="folder that trunk fetch wrote")
    parser.add_argument("--cut", type=Path, required=True, help="folder that trunk vocabulary wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)


def main(arguments):
    """Runs this step."""
    check(arguments.data, READ)
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = [
        row
        for row in read_lines(arguments.data / "qa" / "squad-v1.1-train.jsonl.xz")
        if row["answers"][0]["text"].strip()
    ]
    titles = sorted({row["title"] for row in rows})
    held = set(np.random.default_rng(arguments.seed).permutation(titles)[:HELD_TITLES])
    tokenizer = Tokenizer.from_file(str(arguments.cut / "tokenizer.json"))
    similarity, names = PhraseVectors(arguments.pretrained), found_names(arguments.data)
    repeated = office_rows(training_documents()) * OFFICE_REPEATS
    parts = {
        "held": ([row for row in rows if row["title"] in held], STATEMENTS // 10),
        "train": ([row for row in rows if row["title"] not in held] + repeated, STATEMENTS),
        "office": (office_rows(office_documents()), 0),
    }
    for part, (own, count) in parts.items():
        told_rows = statement_rows(statements(names, count, arguments.seed, held=part == "held"))
        write_part(arguments.out / f"{part}.npz", own, told_rows, tokenizer, similarity, arguments.seed)
