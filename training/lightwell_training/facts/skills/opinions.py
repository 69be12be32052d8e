"""Reviews and remarks, and whether they are positive or negative."""

from functools import lru_cache
from pathlib import Path

from lightwell_training.facts.skills.item import Ask, Item

OPINIONS = Path(__file__).with_name("opinions.txt")
SUBJECTS = ("food", "place", "person", "object", "show")

# What is asked, with the answer to a good and to a bad opinion.
LABELS = (("positive", "negative"), ("positive", "negative"), ("positive", "negative"), ("good", "bad"))
MOODS = (("happy", "sad"), ("happy", "sad"), ("happy", "unhappy"), ("positive", "negative"))


@lru_cache(maxsize=1)
def read_opinions():
    """The word lists by name; whole sentences are separated by semicolons, words by commas."""
    rows = (line.split(": ", 1) for line in OPINIONS.read_text(encoding="utf-8").splitlines() if line[:1] not in "#")
    return {name: values.split("; " if name[:4] in ("all ", "mood") else ", ") for name, values in rows}


def opinion(writer, is_good):
    """One to three sentences that praise or blame."""
    words, sign = read_opinions(), "+" if is_good else "-"
    subject = writer.one(SUBJECTS)

    def adjective(is_praise=is_good, of=subject):
        common, special = words["good" if is_praise else "bad"], words[f"{of} {'+' if is_praise else '-'}"]
        return writer.one(special if writer.chance(0.6) else common)

    def noun():
        return writer.one(words[subject])

    def plain():
        return writer.one(
            [
                lambda: f"The {noun()} was {adjective()}.",
                lambda: f"The {noun()} was {adjective()} and the {noun()} was {adjective()}.",
                lambda: f"The {noun()} is {adjective()}.",
                lambda: f"{adjective().capitalize()} {noun()}, {adjective()} {noun()}.",
                lambda: (
                    f"{writer.one(['What a', 'Such a', 'It was a', 'A'])} {noun()}: {adjective()} and {adjective()}."
                ),
                lambda: f"I found the {noun()} {adjective()}.",
                lambda: f"The {noun()} was not {adjective(not is_good)} at all.",
                lambda: f"The {noun()} was anything but {adjective(not is_good)}.",
                lambda: f"I had thought it would be {adjective(not is_good)}, but the {noun()} was {adjective()}.",
                lambda: f"Everything was {adjective()}, the {noun()} too.",
                lambda: f"{writer.one(['The most', 'A truly'])} {adjective()} {noun()}.",
            ]
        )()

    parts = [plain() if writer.chance(0.75) else writer.one(words[f"all {sign}"])]
    while len(parts) < 3 and writer.chance(0.4):
        parts.append(plain() if writer.chance(0.5) else writer.one(words[f"all {sign}"]))
    return " ".join(parts)


def write_opinion(writer):
    """A review or a remark with a question about its tone."""
    is_good, is_mood = writer.chance(0.5), writer.chance(0.25)
    pair = writer.one(MOODS if is_mood else LABELS)
    text = writer.one(read_opinions()[f"mood {'+' if is_good else '-'}"]) if is_mood else opinion(writer, is_good)
    if is_mood and writer.chance(0.3):
        text += " " + writer.one(read_opinions()[f"mood {'+' if is_good else '-'}"])
    label = pair[0 if is_good else 1]
    first, second = pair if writer.chance(0.8) else pair[::-1]
    name = writer.one(["Text", "Message", "Diary"] if is_mood else ["Review", "Review", "Review", "Comment", "Text"])
    low = name.lower()
    asks = writer.one(
        [
            [Ask(f"{writer.one(['Sentiment', 'Mood', 'Tone'])} ({first} or {second})", label, is_field=True)],
            [Ask(f"{writer.one(['Sentiment', 'Opinion', 'Tone'])}", label, is_field=True)]
            if pair == LABELS[0]
            else [Ask(f"{first.capitalize()} or {second}?", label)],
            [Ask(f"Is the {low} {first} or {second}?", label)],
            [Ask(f"Is this {low} {first} or {second}?", label)],
            [Ask(f"Is the writer {first} or {second}?" if is_mood else f"Is it {first} or {second}?", label)],
        ]
    )
    return Item(f"{name}: {text}" if writer.chance(0.85) else text, asks)
