"""Comparisons of two or three numbers."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lightwell_training.facts.skills.item import Ask, Item

COMPARISONS = Path(__file__).with_name("comparisons.txt")


class Comparison(NamedTuple):
    """A kind of comparison: templates, the numbers' range, the pool of what is compared."""

    least: int
    greatest: int
    pool: str
    single: list
    joined: list
    more: list
    less: list


@lru_cache(maxsize=1)
def read_comparisons():
    """The kinds of comparisons.txt."""
    kinds = []
    for block in COMPARISONS.read_text(encoding="utf-8").split("\nkind ")[1:]:
        lines = {letter: [] for letter in "NESPML"}
        for line in block.splitlines()[1:]:
            if line:
                lines[line[0]].append(line[2:])
        least, greatest = map(int, lines["N"][0].split())
        kinds.append(Comparison(least, greatest, lines["E"][0], lines["S"], lines["P"], lines["M"], lines["L"]))
    return kinds


def numbers_of(writer, kind, count):
    """`count` different numbers of a kind, sometimes near each other."""
    greatest = kind.greatest if writer.chance(0.6) else min(kind.greatest, max(kind.least + 20, kind.greatest // 10))
    while True:
        numbers = [writer.random.randint(kind.least, greatest) for _ in range(count)]
        if kind.greatest > 10000:
            numbers = [number // 10 * 10 if number < 1000 else number // 1000 * 1000 for number in numbers]
        if len(set(numbers)) == count:
            return numbers


def write_comparison(writer):
    """Two or three things with a number each, and which has more or less."""
    kind = writer.one(read_comparisons())
    used, count = set(), writer.one([2, 2, 2, 3])
    things = [writer.new_value(kind.pool, used) for _ in range(count)]
    numbers, plural = numbers_of(writer, kind, count), writer.pools.draw("plural")
    shown = [f"{number:,}" if number >= 10000 else str(number) for number in numbers]

    def finished(text):
        text = text.replace("{things}", plural)
        return text[0].upper() + text[1:]

    if count == 2 and kind.joined and writer.chance(0.45):
        context = finished(
            writer.one(kind.joined)
            .replace("{x1}", things[0])
            .replace("{x2}", things[1])
            .replace("{n1}", shown[0])
            .replace("{n2}", shown[1])
        )
    else:
        single = writer.one(kind.single)
        context = " ".join(finished(single.replace("{x}", x).replace("{n}", n)) for x, n in zip(things, shown))
    order = sorted(range(count), key=lambda index: numbers[index])
    asks = [
        *(Ask(finished(question), things[order[-1]]) for question in writer.random.sample(kind.more, 1)),
        *(Ask(finished(question), things[order[0]]) for question in writer.random.sample(kind.less, 1)),
    ]
    writer.random.shuffle(asks)
    return Item(context, asks)
