"""Checks that the synthetic texts stay what they are: the committed weights were trained on exactly these draws."""

import hashlib
import json
import re
from random import Random

import pytest

from lightwell_training.facts.generate import generate
from lightwell_training.facts.names import held_out_from_skills, held_out_names
from lightwell_training.facts.pools import Pools
from lightwell_training.facts.skills.counting import NUMBERS
from lightwell_training.reader.data.statements import statements
from lightwell_training.repository import everyday_prompts
from lightwell_training.text.corpus import clean_and_spans

NAMES = ["Bergen", "Verona", "Kofi", "Salma", "Toledo", "Quentin", "Ulrika", "Yusuf", "Anna", "Paris"]
RIVERS, TOWNS = ("old", "long", "grey", "deep"), ("quiet", "large", "small", "busy", "dark")
PROSE = " ".join(f"The {river} river runs by the {town} town." for river in RIVERS for town in TOWNS) * 20


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("document", "d490add8c2276372"),
        ("distant", "3c8c3af4d609d8e9"),
        ("rivals", "d9e6ea7f4a2621ab"),
        ("skills", "d94d8c268b2143e6"),
    ],
)
def test_a_seed_gives_the_same_documents(way, expected):
    assert digest("\0".join(generate(NAMES, PROSE, 640, 1, way, processes=1))) == expected


def test_a_seed_gives_the_same_statements():
    assert digest(repr(statements(NAMES, 600, 1, held=False))) == "54478a83238037fb"


def test_no_name_of_a_golden_prompt_is_drawn():
    banned = held_out_names()
    pools = Pools(Random(2), [*NAMES, *(name.capitalize() for name in banned)])
    assert banned
    assert not banned & {pools.proper("person").lower() for _ in range(5000)}


def skill_texts(count=3200):
    return [clean_and_spans(text) for text in generate(NAMES, PROSE, count, 1, "skills", processes=1)]


def sentences(text):
    """Statements of four words and more."""
    return {part.strip() for part in re.findall(r"[^.!?:\n]+[.!]", text) if len(part.split()) > 3}


def test_no_sentence_of_an_everyday_prompt_teaches_a_skill():
    asked = {
        part for row in json.loads(everyday_prompts().read_text(encoding="utf-8")) for part in sentences(row["prompt"])
    }
    taught = set().union(*(sentences(text) for text, _ in skill_texts()))
    assert len(asked) > 40
    assert not asked & taught


def test_no_name_of_an_everyday_prompt_teaches_a_skill():
    banned = held_out_from_skills()
    assert banned > held_out_names()
    pools = Pools(Random(2), [*NAMES, *(name.capitalize() for name in banned)], banned)
    assert not banned & {pools.proper("person").lower() for _ in range(5000)}


def test_slots_of_skills_are_filled():
    texts = skill_texts(640)
    assert not any(re.search(r"\{\w+(:\w+)?\}", text) for text, _ in texts)
    assert sum(bool(spans) for _, spans in texts) > 0.99 * len(texts)
    assert all(text[first:last].strip() for text, spans in texts for first, last in spans)


def test_what_is_counted_is_counted_right():
    item = re.compile(r"(?:There are|I can see|He named) ([^\n.]+)\.\n+[^\n]*How many[^?\n]+\?\s(?:\w+:)? ?(\w+)")
    found = [match for text, _ in skill_texts() for match in item.findall(text)]
    counted = [(listed, number) for listed, number in found if listed.count(" and ") < 2]  # not "Anna and Sons"
    assert len(counted) > 10
    for listed, number in counted:
        assert NUMBERS.index(number) + 1 == len(re.split(r", and |, | and ", listed)), listed
