"""Kinds of synthetic facts: templates with slots, and the marks around what stands in the context.

Spans between START and END are answers that stand in the context; the trainer gives their tokens more weight.
"""

import re
from pathlib import Path
from typing import NamedTuple

TEMPLATES = Path(__file__).with_name("templates.txt")
START, END = "\x02", "\x03"
SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Kind(NamedTuple):
    """One kind of fact: sentences, (question, answer), (summary, end), (spellings of a field, value)."""

    name: str
    sentences: list
    questions: list
    summaries: list
    fields: list


def read_kinds(path=TEMPLATES):
    """The kinds of a file in the form of templates.txt."""
    kinds = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("kind "):
            kinds.append(Kind(line[5:], [], [], [], []))
        elif line.startswith("S "):
            kinds[-1].sentences.append(line[2:])
        elif line[:2] in ("Q ", "I "):
            (kinds[-1].questions if line[0] == "Q" else kinds[-1].summaries).append(tuple(line[2:].split(" | ")))
        elif line.startswith("F "):
            kinds[-1].fields.extend(
                (names.split("/"), value) for names, value in (field.split("=") for field in line[2:].split("; "))
            )
    return kinds


def slots_of(template):
    """Slots that a template mentions, name to pool."""
    return {name: pool or name.rstrip("0123456789") for name, pool in SLOT.findall(template)}


def fill(template, values):
    """The template with its slots filled from `values`, name to text; no article comes twice."""
    return (
        SLOT.sub(lambda match: values[match.group(1)], template).replace("the The ", "The ").replace("The The ", "The ")
    )


def answer(text):
    """The text between the marks of an answer that stands in the context."""
    return START + text + END
