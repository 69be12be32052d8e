"""Blocks of keys and values, and tables of them, with questions by key."""

from functools import lru_cache
from pathlib import Path

from lightwell_training.facts.skills.item import Ask, Item

RECORDS = Path(__file__).with_name("records.txt")

# Keys whose values stand in a place, on a day, or are people, and how these are asked for.
ASKED_ON = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NATURAL = {
    "age": ("How old is {0}?",),
    "city": ("Where does {0} live?", "In which town does {0} live?", "Where is {0} from?"),
    "town": ("Where does {0} live?", "Which town is {0} from?"),
    "job": ("What is {0}'s job?", "What does {0} work as?"),
    "price": ("How much is {0}?", "How much does {0} cost?", "What does {0} cost?"),
    "cost": ("How much is {0}?", "What is the price of {0}?"),
    "colour": ("What colour is {0}?", "Which colour has {0}?"),
    "people": ("How many people live in {0}?", "How many people are there in {0}?"),
    "inhabitants": ("How many inhabitants has {0}?", "How many people live in {0}?"),
    "platform": ("From which platform does {0} leave?", "Where does {0} leave?"),
    "gate": ("Which gate is it for {0}?", "From which gate does {0} leave?"),
    "departs": ("When does {0} leave?", "When does {0} depart?"),
    "time": ("When is {0}?", "At what time is {0}?"),
    "day": ("When is {0}?", "On which day is {0}?"),
    "room": ("In which room is {0}?", "Where is {0}?"),
    "height": ("How high is {0}?",),
    "year": ("When was {0}?", "Which year was {0}?"),
    "points": ("How many points has {0}?", "How many points did {0} get?"),
    "pages": ("How many pages has {0}?", "How long is {0}?"),
    "capital": ("What is the capital of {0}?",),
    "author": ("Who wrote {0}?", "Who is the author of {0}?"),
    "director": ("Who made {0}?", "Who is the director of {0}?"),
    "teacher": ("Who teaches {0}?", "Who is the teacher of {0}?"),
    "left": ("How many of {0} are left?",),
    "owner": ("Who owns {0}?", "Whose is {0}?"),
    "food": ("What does {0} eat?",),
    "weather": ("How is the weather in {0}?", "What is the weather like in {0}?"),
    "language": ("Which language do they speak in {0}?", "What language is spoken in {0}?"),
    "winner": ("Who won {0}?",),
    "drink": ("What does {0} drink?",),
}

# Columns of tables: the key column, then those that may stand beside it, each a name and a pool.
TABLES = (
    ("name:person", "age:number", "city:place", "job:job", "phone:phone", "town:place", "points:number", "drink:drink"),
    ("city:place", "people:big", "country:country", "weather:weather", "inhabitants:big", "mayor:person"),
    ("town:place", "people:big", "height:number", "river:name", "inhabitants:big"),
    ("product:thing", "price:price", "colour:colour", "left:number", "code:code", "cost:number"),
    ("item:food", "price:number", "amount:number", "cost:price", "day:day"),
    ("train:place", "platform:number", "departs:time", "track:digit"),
    ("flight:code", "gate:number", "departs:time", "to:place"),
    ("subject:subject", "teacher:person", "room:number", "day:day", "time:time"),
    ("country:country", "capital:place", "language:language", "people:big"),
    ("book:title", "author:person", "year:year", "pages:number", "price:price"),
    ("film:title", "director:person", "year:year", "time:time", "room:digit"),
    ("animal:animal", "food:food", "age:digit", "owner:person", "colour:colour"),
    ("team:team", "points:number", "place:digit", "city:place", "captain:person"),
    ("day:day", "weather:weather", "degrees:digit", "food:food", "teacher:person"),
    ("plant:plural", "price:number", "colour:colour", "height:number"),
    ("race:sport", "winner:person", "day:day", "points:number"),
)


@lru_cache(maxsize=1)
def read_records():
    """Blocks by name: spellings of each key, and the pool of its value."""
    records = {}
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            name, fields = line.split(": ", 1)
            pairs = (field.split("=") for field in fields.split("; "))
            records[name] = [(keys.split("/"), pool) for keys, pool in pairs]
    return list(records.values())


def low(key):
    """A key within a sentence: names of days and what ends in a letter or number keep their capital."""
    return key if key in ASKED_ON or key[-1].isdigit() or key[-2:-1] == " " else key[0].lower() + key[1:]


def about(writer, key):
    """A question about the value of a key."""
    if key in ASKED_ON:
        return writer.one([f"What is there on {key}?", f"What is on {key}?", f"What is planned for {key}?"])
    word = low(key)
    if word != key or key[0].islower():
        return writer.one(
            [f"What is the {word}?", f"What is the {word}?", f"What {word} is given?", f"Which {word} is it?"]
        )
    return writer.one([f"What is in {key}?", f"What does it say for {key}?", f"What belongs to {key}?"])


def start_with(writer, key):
    """The beginning of a sentence that the value of a key ends."""
    if key in ASKED_ON:
        return f"On {key} there is"
    if low(key) != key or key[0].islower():
        return f"The {low(key)} is"
    return writer.one([f"{key} is the", f"{key} is", f"In {key.lower()} there is the"])


def write_record(writer):
    """A block of keys and values."""
    fields, used = writer.one(read_records()), set()
    chosen = [field for field in fields if writer.chance(0.8)] or list(fields)
    if len(chosen) < 2:
        chosen = list(fields)
    if writer.chance(0.3):
        writer.random.shuffle(chosen)
    rows = [(writer.one(keys), writer.new_value(pool, used)) for keys, pool in chosen]
    mark = writer.one([": ", ": ", ": ", ": ", " = ", " - ", " | "])
    case = writer.one([str, str, str, str.lower if mark == ": " else str])
    rows = [(case(key) if key not in ASKED_ON else key, value) for key, value in rows]
    context = "\n".join(f"{key}{mark}{value}" for key, value in rows)
    asks = []
    for key, value in writer.random.sample(rows, min(len(rows), 3)):
        way = writer.random.random()
        if way < 0.6:
            asks.append(Ask(about(writer, key), value))
        elif way < 0.8:
            asks.append(Ask(start_with(writer, key), value, is_start=True))
        else:
            asks.append(Ask(key, value, is_field=True))
    return Item(context, asks)


def write_table(writer):
    """A table of two to four columns and two to five rows, in one of several notations."""
    names = writer.one(TABLES)
    key, *others = [column.split(":") for column in names]
    columns = [key, *writer.random.sample(others, min(len(others), writer.one([1, 1, 2, 2, 3])))]
    used = set()
    rows = [[writer.new_value(pool, used) for _, pool in columns] for _ in range(writer.one([2, 2, 3, 3, 4, 5]))]
    head = [name for name, _ in columns]
    if writer.chance(0.3):
        head = [name.capitalize() for name in head]
    has_commas = any("," in value for row in rows for value in row)
    way = writer.one(["pipes", "pipes", "rule", "commas" if not has_commas else "pipes", "semicolons", "bare"])
    before, between, after = {
        "pipes": ("| ", " | ", " |"),
        "rule": ("| ", " | ", " |"),
        "commas": ("", writer.one([", ", ","]), ""),
        "semicolons": ("", "; ", ""),
        "bare": ("", " | ", ""),
    }[way]
    lines = [before + between.join(row) + after for row in (head, *rows)]
    if way == "rule":
        lines.insert(1, "|" + "|".join(" --- " for _ in head) + "|")
    asks = []
    for row in writer.random.sample(rows, min(len(rows), 3)):
        column = writer.random.randrange(1, len(columns))
        asks.append(ask_cell(writer, columns, column, row))
    return Item("\n".join(lines), asks)


def ask_cell(writer, columns, column, row):
    """A question about one cell of a row, or about the row of one cell."""
    (key, _), (name, _) = columns[0], columns[column]
    value, answer = row[0], row[column]
    way = writer.random.random()
    if way < 0.12:
        return Ask(f"Which {key} has the {name} {answer}?", value)
    if way < 0.3:
        return Ask(writer.one([f"The {name} of {value} is", f"{value} has the {name}"]), answer, is_start=True)
    of = named(writer, *columns[0], value)
    if name in NATURAL and way < 0.7:
        return Ask(writer.one(NATURAL[name]).format(of), answer)
    return Ask(f"What is the {name} of {of}?", answer)


def named(writer, key, pool, value):
    """The value of a key column as a question names it."""
    if key == "train":
        return writer.one([f"the train to {value}", f"the one to {value}"])
    if key == "flight":
        return f"flight {value}"
    return f"the {value}" if pool in ("thing", "animal") else value


# What people or things are put into, and how many.
GROUPS = ("Team", "Group", "Table", "Boat", "Class", "Row", "Tent", "Car", "Room", "Crew")


def write_groups(writer):
    """Names in groups, and who is with whom."""
    unit, used = writer.one(GROUPS), set()
    marks = writer.one(["ABCDE", "12345"])[: writer.one([2, 2, 3, 4])]
    groups = {
        f"{unit} {mark}": [writer.new_value("name", used) for _ in range(writer.one([2, 2, 3]))] for mark in marks
    }
    context = "\n".join(f"{name}: {', '.join(members)}" for name, members in groups.items())
    name, members = writer.one(list(groups.items()))
    first, *rest = writer.random.sample(members, len(members))
    others = " and ".join(member for member in members if member in rest)
    low_name = name[0].lower() + name[1:]
    asks = [
        Ask(
            writer.one([f"Who is with {first}?", f"Who is in {low_name} with {first}?", f"Who goes with {first}?"]),
            others,
        ),
        Ask(writer.one([f"In which {unit.lower()} is {first}?", f"Where is {first}?"]), name),
        Ask(writer.one([f"Who is in {low_name}?", f"Who belongs to {low_name}?"]), " and ".join(members)),
    ]
    return Item(context, writer.random.sample(asks, writer.one([1, 2])))
