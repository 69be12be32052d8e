"""Checks that the synthetic texts stay what they are: the committed weights were trained on exactly these draws."""

import hashlib
from random import Random

import pytest

from lightwell_training.facts.generate import generate
from lightwell_training.facts.names import held_out_names
from lightwell_training.facts.pools import Pools
from lightwell_training.reader.data.statements import statements

NAMES = ["Bergen", "Verona", "Kofi", "Salma", "Toledo", "Quentin", "Ulrika", "Yusuf", "Anna", "Paris"]
RIVERS, TOWNS = ("old", "long", "grey", "deep"), ("quiet", "large", "small", "busy", "dark")
PROSE = " ".join(f"The {river} river runs by the {town} town." for river in RIVERS for town in TOWNS) * 20


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("way", "expected"),
    [("document", "d490add8c2276372"), ("distant", "3c8c3af4d609d8e9"), ("rivals", "d9e6ea7f4a2621ab")],
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
