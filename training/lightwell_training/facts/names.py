"""Names: real ones from the corpora, the syllables of invented ones, and those that stay out."""

import json
import re
from collections import Counter

from lightwell_training.repository import everyday_prompts, golden_prompts

ONSETS = "b c d f g h j k l m n p r s t v w z br ch cl cr dr fl fr gl gr kl kr pl pr sh sk sl sm st str th tr".split()

VOWELS = "a e i o u a e i o ai au ea ee ia io oa ou y".split()

CODAS = ["", "", "", "l", "n", "r", "s", "t", "m", "k", "nd", "rt", "ll", "ck", "x", "sh", "v", "ng", "lm", "rn"]

ENDINGS = {
    "place": [
        "",
        "",
        "ton",
        "ville",
        "burg",
        "stad",
        "ford",
        "field",
        "mouth",
        "by",
        "wick",
        "grad",
        "polis",
        "haven",
        "port",
        "ham",
        "ia",
        "dale",
    ],
    "country": ["ia", "land", "stan", "ania", "or", "ea", "istan", "ovia", "ar", "esia"],
    "surname": ["", "", "son", "er", "man", "sen", "ez", "ini", "ov", "ski", "wood", "well", "berg", "stein"],
    "person": ["", "", "a", "o", "e", "y", "an", "in", "el", "ia", "is", "us"],
    "name": ["", "", "", "a", "o", "y"],
}


def held_out_names():
    """Names of the golden prompts, in lower case. None of them may be drawn, so that the prompts stay unseen."""
    return capitalised(golden_prompts())


def held_out_from_skills():
    """The same of the golden and the everyday prompts, which the skills are measured on."""
    return capitalised(golden_prompts()) | capitalised(everyday_prompts())


def capitalised(path):
    """The capitalised words of a file of prompts, in lower case."""
    text = " ".join(f"{row['prompt']} {row['answer']}" for row in json.loads(path.read_text(encoding="utf-8")))
    return {word.lower() for word in re.findall(r"[A-Z][a-z]+", text)}


def names_in(text, count=12000):
    """The `count` most frequent capitalised words within sentences of `text`, sorted.

    Words that also stand in lower case, and words that stand there once, are left out.
    """
    found = Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,10}\b", text))
    common = {word.lower() for word in re.findall(r"(?<=[a-z,] )[a-z]{3,}\b", text[:4_000_000])}
    kept = [word for word, times in found.most_common() if times >= 2 and word.lower() not in common]
    return sorted(kept[:count])
