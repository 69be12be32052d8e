"""Counting to six: a list, and how many things it has."""

from lightwell_training.facts.skills.item import Ask, Item

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")

# What is counted: the pool, the word for all, and whether its members have an article.
COUNTED = (
    ("afood", "things to eat"),
    ("athing", "things"),
    ("athing", "objects"),
    ("ananimal", "animals"),
    ("person", "people"),
    ("person", "persons"),
    ("person", "guests"),
    ("person", "children"),
    ("place", "towns"),
    ("place", "places"),
    ("colour", "colours"),
    ("subject", "subjects"),
    ("language", "languages"),
    ("sport", "sports"),
    ("day", "days"),
    ("month", "months"),
    ("instrument", "instruments"),
    ("job", "jobs"),
    ("country", "countries"),
    ("drink", "drinks"),
    ("title", "books"),
    ("company", "companies"),
    ("team", "teams"),
)

# A sentence with the list, and questions that only suit it.
FRAMES = (
    ("{list} are there.",),
    ("There are {list}.",),
    ("I can see {list}.", "How many {all} can I see?"),
    ("She has {list}.", "How many {all} has she?", "How many {all} does she have?"),
    ("We found {list}.", "How many {all} did we find?", "How many {all} were found?"),
    ("He named {list}.", "How many {all} did he name?"),
    ("He bought {list}.", "How many {all} did he buy?"),
    ("My list has {list}.", "How many {all} has my list?", "How many {all} are on the list?"),
    ("They chose {list}.", "How many {all} did they choose?"),
    ("It is about {list}.", "How many {all} is it about?"),
    ("In the {container} there are {list}.", "How many {all} are in the {container}?"),
    ("The {container} is full of {list}.", "How many {all} are in the {container}?"),
    ("I put {list} into the {container}.", "How many {all} are in the {container}?", "How many {all} did I put there?"),
    ("The {container} contains {list}.", "How many {all} does the {container} contain?"),
    ("We sell {list}.", "How many {all} do we sell?"),
    ("Please bring {list}.", "How many {all} shall I bring?"),
)
PEOPLE = (
    ("{list} are here.", "How many {all} are here?"),
    ("{list} came to dinner.", "How many {all} came to dinner?"),
    ("{list} sat at the table.", "How many {all} sat there?"),
    ("I met {list} today.", "How many {all} did I meet?"),
    ("{list} live in this house.", "How many {all} live here?"),
    ("We invited {list}.", "How many {all} were invited?"),
    ("{list} won a prize.", "How many {all} won a prize?"),
    ("The letter is from {list}.", "How many {all} wrote it?"),
    ("{list} arrived first.", "How many {all} arrived?", "How many {all} came first?"),
)
PLACES = (
    ("They went to {list}.", "How many {all} did they go to?"),
    ("The train stops in {list}.", "How many {all} is that?"),
    ("I have been to {list}.", "How many {all} do I know?"),
    ("We saw {list}.", "How many {all} did we see?"),
    ("He lived in {list}.", "How many {all} did he live in?"),
    ("The tour goes to {list}.", "How many {all} are on it?"),
)
CONTAINERS = "bag drawer basket cupboard shelf suitcase room garden shop chest cellar car tent kitchen bucket".split()
QUESTIONS = (
    "How many {all} are there?",
    "How many {all} are named?",
    "How many {all} is that?",
    "How many {all} are mentioned?",
)


def listed(writer, values):
    """The values as a list in a sentence."""
    if len(values) == 1:
        return values[0]
    last = writer.one([" and ", " and ", " and ", ", and "])
    return ", ".join(values[:-1]) + (last if len(values) > 2 else " and ") + values[-1]


def write_count(writer):
    """A list of two to six, and how many they are."""
    pool, name = writer.one(COUNTED)
    used = set()
    values = [writer.new_value(pool, used) for _ in range(writer.one([1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6]))]
    values = list(dict.fromkeys(values))
    frame, *own = writer.one({"person": PEOPLE, "place": PLACES}.get(pool, FRAMES))
    container = writer.one(CONTAINERS)

    def finished(text):
        return text.replace("{list}", listed(writer, values)).replace("{all}", name).replace("{container}", container)

    context, answer = finished(frame), NUMBERS[len(values) - 1]
    if len(values) == 1:
        context = context.replace(" are ", " is ").replace(" live ", " lives ")
    question = writer.one(own) if own and writer.chance(0.6) else writer.one(QUESTIONS)
    asks = [Ask(finished(question), answer)]
    if writer.chance(0.15):
        asks = [Ask(f"Number of {name}", answer, is_field=True)]
    return Item(context[0].upper() + context[1:], asks)
