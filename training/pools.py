"""Vocabularies of the synthetic texts: closed pools from words.txt and open pools of names, all drawn from one seeded source."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
PROMPTS = HERE.parent / "test" / "golden" / "context-prompts.json"
ONSETS = "b c d f g h j k l m n p r s t v w z br ch cl cr dr fl fr gl gr kl kr pl pr sh sk sl sm st str th tr".split()
VOWELS = "a e i o u a e i o ai au ea ee ia io oa ou y".split()
CODAS = ["", "", "", "l", "n", "r", "s", "t", "m", "k", "nd", "rt", "ll", "ck", "x", "sh", "v", "ng", "lm", "rn"]
ENDINGS = {
    "place": ["", "", "ton", "ville", "burg", "stad", "ford", "field", "mouth", "by", "wick", "grad", "polis", "haven", "port", "ham", "ia", "dale"],
    "country": ["ia", "land", "stan", "ania", "or", "ea", "istan", "ovia", "ar", "esia"],
    "surname": ["", "", "son", "er", "man", "sen", "ez", "ini", "ov", "ski", "wood", "well", "berg", "stein"],
    "person": ["", "", "a", "o", "e", "y", "an", "in", "el", "ia", "is", "us"],
    "name": ["", "", "", "a", "o", "y"],
}


def read_words():
    """The closed pools: name of the pool to its values."""
    rows = (line.split(": ", 1) for line in (HERE / "words.txt").read_text().splitlines() if line and line[0] != "#")
    return {name: values.split(", ") for name, values in rows}


def held_out_names():
    """Names of the golden prompts, in lower case. None of them may be drawn, so that the prompts stay unseen."""
    text = " ".join(f'{row["prompt"]} {row["answer"]}' for row in json.loads(PROMPTS.read_text()))
    return {word.lower() for word in re.findall(r"[A-Z][a-z]+", text)}


def names_in(text, count=12000):
    """Capitalised words that stand in the middle of a sentence of `text`, the most frequent `count` of them, shuffled by no one: sorted."""
    found = Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,10}\b", text))
    common = {word.lower() for word in re.findall(r"(?<=[a-z,] )[a-z]{3,}\b", text[:4_000_000])}
    kept = [word for word, times in found.most_common() if times >= 2 and word.lower() not in common]
    return sorted(kept[:count])


class Pools:
    """Draws a value for any pool. `found` are real names out of the corpora."""

    def __init__(self, random: Random, found):
        self.random = random
        self.words = read_words()
        self.banned = held_out_names()
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
            return f'{first} {self.proper("surname")}'
        return f'{self.random.choice(["Mr.", "Mrs.", "Dr.", "Miss", "Uncle", "Aunt"])} {self.proper("surname")}'

    def make_surname(self):
        return self.proper("surname")

    def make_name(self):
        return self.proper("name")

    def make_place(self):
        place, chance = self.proper("place"), self.random.random()
        if chance < 0.85:
            return place
        return self.random.choice([f"New {place}", f"{place} City", f"Port {place}", f"San {place}", f"East {place}", f'{place} {self.proper("place")}'])

    def make_country(self):
        return self.invented("country")

    def make_team(self):
        chance = self.random.random()
        if chance < 0.6:
            return self.proper("place")
        return f'{self.proper("place")} {self.random.choice(["United", "City", "Rovers", "Tigers", "Stars", "Bears", "Eagles", "Town"])}'

    def make_company(self):
        name = self.proper("surname")
        return self.random.choice([name, name, f"{name} Motors", f"{name} and Sons", f"{name} Foods", f'{name} & {self.proper("surname")}', f"{name} Labs"])

    def make_restaurant(self):
        name, noun = self.proper("surname"), self.draw("noun").title()
        forms = [f"{name}'s", f"{name}'s", f"{name}", f"Cafe {name}", f"The {noun}", f"{name} Grill", f"The {self.draw('colour').title()} {noun}",
                 f"{name}'s Kitchen", f"Casa {name}", f"{name} House", f'{name} & {self.proper("surname")}', f"La {name}"]
        return self.random.choice(forms)

    def make_hotel(self):
        name = self.proper("surname")
        return self.random.choice([f"{name} Hotel", f"Hotel {name}", f"the {name} Inn", f"{name} Lodge", f"{name} Palace", f"the {name} Hotel", f"{name} Suites"])

    def make_title(self):
        noun, other = self.draw("noun").title(), self.draw("noun").title()
        adjective = self.draw(self.random.choice(["adjective", "colour", "weather"])).title()
        name = self.proper("name")
        return self.random.choice([f"The {adjective} {noun}", f"{adjective} {noun}", f"The {noun}", f"The {noun} of {name}", f"{noun} and {other}", name, name,
                                   f"{name}'s {noun}", f"My {adjective} {noun}", f"{noun} in the {other}", f"The {other} {noun}", f"{name} {noun}"])

    def make_number(self):
        return str(self.random.choice([self.random.randint(2, 12), self.random.randint(2, 99), self.random.randint(2, 300)]))

    def make_digit(self):
        return str(self.random.randint(0, 9))

    def make_small(self):
        return self.random.choice(["1", "2", "3", "4", "5", "6", "7", "8", "two", "three", "four", "five", "six"])

    def make_big(self):
        return f"{self.random.randint(1, 99)},{self.random.randint(0, 999):03d}" if self.random.random() < 0.5 else str(self.random.randint(200, 9999))

    def make_year(self):
        return str(self.random.randint(1200, 2024))

    def make_time(self):
        hour, minute = self.random.randint(1, 12), self.random.choice(["00", "15", "30", "45", "10", "20", "05", "40", "50"])
        half = self.random.choice(["am", "pm"])
        return self.random.choice([f"{hour} {half}", f"{hour}:{minute} {half}", f"{hour}:{minute}", f"{hour} o'clock", f"{hour} in the {'morning' if half == 'am' else 'evening'}",
                                   f"{self.random.randint(0, 23)}:{minute}"])

    def make_date(self):
        day, month = self.random.randint(1, 28), self.draw("month")
        return self.random.choice([f"{day} {month}", f"{month} {day}", f"{month} {day}", f"the {day}th of {month}"])

    def make_room(self):
        number = self.random.randint(1, 450)
        return self.random.choice([f"room {number}", f"room {number}", f"Room {number}", f'the {self.proper("name")} Room', f"the {self.draw('colour')} room", f"hall {number % 9 + 1}",
                                   f"the {self.draw('building')}", "the main hall"])

    def make_price(self):
        whole, cents = self.random.choice([self.random.randint(1, 20), self.random.randint(2, 400)]), self.random.choice(["50", "99", "20", "75", "05", "40"])
        return self.random.choice([f"{whole} dollars", f"{whole} euros", f"${whole}", f"${whole}.{cents}", f"{whole} pounds", f"£{whole}", f"{whole} coins"])

    def make_phone(self):
        digits = lambda count: "".join(self.random.choice("0123456789") for _ in range(count))
        return self.random.choice([f"{digits(3)}-{digits(3)}-{digits(4)}", f"{digits(3)}-{digits(4)}", f"0{digits(3)} {digits(4)}", digits(6)])

    def make_code(self):
        return "".join(self.random.choice("ABCDEFGHKLMNPRSTUVWXYZ0123456789") for _ in range(self.random.randint(3, 6)))

    def make_lower(self):
        return self.invented("name").lower()

    def make_street(self):
        return self.random.choice(self.words["street"]) if self.random.random() < 0.3 else \
            f'{self.proper("surname")} {self.random.choice(["Street", "Road", "Avenue", "Lane", "Square"])}'

    def make_spot(self):
        adjective = self.draw("adjective") + " " if self.random.random() < 0.4 else ""
        return f'{self.draw("prep")} the {adjective}{self.draw("spotnoun")}'

    def make_nature(self):
        return self.random.choice(["by the lake", "near the river", "on a hill", "by the sea", "at the edge of the forest", "in the valley", "next to the church"])
