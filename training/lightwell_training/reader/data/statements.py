"""Statements of a sentence or two, each with a question that it answers, and with one that it does not.

The kinds of facts are those of the language model.
"""

import lzma
from random import Random

from lightwell_training.facts.kinds import fill, read_kinds, slots_of
from lightwell_training.facts.names import names_in
from lightwell_training.facts.pools import Pools

HELD = 3  # every so many kinds of facts are for the calibration, the others for the training


def found_names(data):
    """Names that stand in Wikipedia's paragraphs."""
    with lzma.open(data / "lm" / "wikipedia-paragraphs.txt.xz", "rt") as file:
        return names_in(file.read())


def capital(text):
    """The text with a capital in front."""
    return text[0].upper() + text[1:]


def fact(kind, pools, random):
    """Rows (kind of row, question, statement, answer or None).

    One question is answered; in the other a name or a thing is exchanged. There are fewer rows where no question fits.
    """
    template = random.choice(kind.sentences)
    slots = slots_of(template)
    values = {name: pools.draw(pool) for name, pool in slots.items()}
    fitting = [
        (asked, told) for asked, told in kind.questions if set(slots_of(asked)) | set(slots_of(told)) <= set(slots)
    ]
    if not fitting:
        return
    asked, told = random.choice(fitting)
    statement, answer = capital(fill(template, values)), fill(told, values)
    if statement.count(answer) != 1:
        return
    yield "answered", capital(fill(asked, values)), statement, answer
    if not slots_of(asked):
        return
    name = random.choice(list(slots_of(asked)))
    other = pools.draw(slots[name])
    if other.lower() != values[name].lower():
        yield "exchanged", capital(fill(asked, values | {name: other})), statement, None


def statements(names, count, seed, held):
    """At least `count` rows of facts; `held` chooses the kinds of facts that the training has not seen."""
    random = Random(seed)
    pools = Pools(random, names)
    kinds = [kind for index, kind in enumerate(read_kinds()) if kind.questions and (index % HELD == 0) == held]
    rows = []
    while len(rows) < count:
        rows.extend(fact(random.choice(kinds), pools, random))
    return rows
