"""Vocabularies of the synthetic texts, all drawn from one seeded source.

Closed pools are in words.txt, open ones are made of names and numbers.
"""

from pathlib import Path
from random import Random

from lightwell_training.facts.names import CODAS, ENDINGS, ONSETS, VOWELS, held_out_names
from lightwell_training.facts.quantities import Quantities

WORDS = Path(__file__).with_name("words.txt")


def read_words():
    """The closed pools: name of the pool to its values."""
    rows = (line.split(": ", 1) for line in WORDS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    return {name: values.split(", ") for name, values in rows}


class Pools(Quantities):
    """Draws a value for any pool.

    `found` are real names out of the corpora, `banned` those that may not be drawn, in lower case.
    """

    def __init__(self, random: Random, found, banned=None):
        self.random = random
        self.words = read_words()
        self.banned = held_out_names() if banned is None else banned
        self.found = [word for word in found if word.lower() not in self.banned]

    def invented(self, kind):
        """A name of one to three syllables that no corpus has."""
        pick = self.random.choice
        while True:
            stem = "".join(pick(ONSETS) + pick(VOWELS) for _ in range(self.random.choice((1, 1, 2)))) + pick(CODAS)
            word = (stem + pick(ENDINGS[kind])).capitalize()
            if 3 <= len(word) <= 12 and word.lower() not in self.banned:
                return word

    def proper(self, kind):
        """One capitalised word, real or invented."""
        return self.random.choice(self.found) if self.random.random() < 0.6 else self.invented(kind)

    def draw(self, pool):
        """A value of `pool`; a method of this class makes it where there is one, else words.txt lists it."""
        make = getattr(self, "make_" + pool, None)
        return make() if make else self.random.choice(self.words[pool])

    def make_person(self):
        first, chance = self.proper("person"), self.random.random()
        if chance < 0.70:
            return first
        if chance < 0.93:
            return f"{first} {self.proper('surname')}"
        return f"{self.random.choice(['Mr.', 'Mrs.', 'Dr.', 'Miss', 'Uncle', 'Aunt'])} {self.proper('surname')}"

    def make_surname(self):
        return self.proper("surname")

    def make_name(self):
        return self.proper("name")

    def make_place(self):
        place, chance = self.proper("place"), self.random.random()
        if chance < 0.85:
            return place
        return self.random.choice(
            [
                f"New {place}",
                f"{place} City",
                f"Port {place}",
                f"San {place}",
                f"East {place}",
                f"{place} {self.proper('place')}",
            ]
        )

    def make_country(self):
        return self.invented("country")

    def make_team(self):
        chance = self.random.random()
        if chance < 0.6:
            return self.proper("place")
        place = self.proper("place")
        return (
            f"{place} {self.random.choice(['United', 'City', 'Rovers', 'Tigers', 'Stars', 'Bears', 'Eagles', 'Town'])}"
        )

    def make_company(self):
        name = self.proper("surname")
        return self.random.choice(
            [
                name,
                name,
                f"{name} Motors",
                f"{name} and Sons",
                f"{name} Foods",
                f"{name} & {self.proper('surname')}",
                f"{name} Labs",
            ]
        )

    def make_restaurant(self):
        name, noun = self.proper("surname"), self.draw("noun").title()
        forms = [
            f"{name}'s",
            f"{name}'s",
            f"{name}",
            f"Cafe {name}",
            f"The {noun}",
            f"{name} Grill",
            f"The {self.draw('colour').title()} {noun}",
            f"{name}'s Kitchen",
            f"Casa {name}",
            f"{name} House",
            f"{name} & {self.proper('surname')}",
            f"La {name}",
        ]
        return self.random.choice(forms)

    def make_hotel(self):
        name = self.proper("surname")
        return self.random.choice(
            [
                f"{name} Hotel",
                f"Hotel {name}",
                f"the {name} Inn",
                f"{name} Lodge",
                f"{name} Palace",
                f"the {name} Hotel",
                f"{name} Suites",
            ]
        )

    def make_title(self):
        noun, other = self.draw("noun").title(), self.draw("noun").title()
        adjective = self.draw(self.random.choice(["adjective", "colour", "weather"])).title()
        name = self.proper("name")
        return self.random.choice(
            [
                f"The {adjective} {noun}",
                f"{adjective} {noun}",
                f"The {noun}",
                f"The {noun} of {name}",
                f"{noun} and {other}",
                name,
                name,
                f"{name}'s {noun}",
                f"My {adjective} {noun}",
                f"{noun} in the {other}",
                f"The {other} {noun}",
                f"{name} {noun}",
            ]
        )

    def make_room(self):
        number = self.random.randint(1, 450)
        return self.random.choice(
            [
                f"room {number}",
                f"room {number}",
                f"Room {number}",
                f"the {self.proper('name')} Room",
                f"the {self.draw('colour')} room",
                f"hall {number % 9 + 1}",
                f"the {self.draw('building')}",
                "the main hall",
            ]
        )

    def make_lower(self):
        return self.invented("name").lower()

    def make_street(self):
        return (
            self.random.choice(self.words["street"])
            if self.random.random() < 0.3
            else f"{self.proper('surname')} {self.random.choice(['Street', 'Road', 'Avenue', 'Lane', 'Square'])}"
        )

    def make_spot(self):
        adjective = self.draw("adjective") + " " if self.random.random() < 0.4 else ""
        return f"{self.draw('prep')} the {adjective}{self.draw('spotnoun')}"

    def make_nature(self):
        return self.random.choice(
            [
                "by the lake",
                "near the river",
                "on a hill",
                "by the sea",
                "at the edge of the forest",
                "in the valley",
                "next to the church",
            ]
        )

    def with_article(self, pool):
        """A word of a pool behind its article."""
        word = self.draw(pool)
        return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"

    def make_athing(self):
        return self.with_article("thing")

    def make_ananimal(self):
        return self.with_article("animal")

    def make_afood(self):
        return self.draw("food")

    def make_placed(self):
        """A building in a place."""
        return f"the {self.draw('building')} in {self.proper('place')}"
