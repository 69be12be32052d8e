"""Lines that look like code, and what a name stands for in them."""

from lightwell_training.facts.skills.item import Ask, Item

NAMES = (
    "width height depth size count total limit price name user color colour host port path key value code title city "
    "country language speed weight length number index level mode state animal food team day month year time first "
    "second last next start end max min score age step left right top bottom file page line word token id a b c d x y "
    "z n m p q alpha beta kind owner status result answer rate tax sum delta gold silver lives coins"
).split()
NUMBERS = ("digit", "number", "number", "big", "year")
TEXTS = ("lower", "lower", "colour", "animal", "place", "person", "thing", "food", "language", "day")

# A notation: one line, how a text is written in it, what prints a value, how a comment begins.
NOTATIONS = (
    ("{0} = {1}", '"{}"', "print({})", "#"),
    ("{0} = {1}", "'{}'", "print({})", "#"),
    ("{0} = {1}", '"{}"', "print({})", "#"),
    ("const {0} = {1};", "'{}'", "console.log({});", "//"),
    ("let {0} = {1};", '"{}"', "console.log({});", "//"),
    ("{0}: {1}", "{}", "echo {}", "#"),
    ("{0}={1}", "{}", "echo ${}", "#"),
    ("int {0} = {1};", '"{}"', "show({});", "//"),
    ("set {0} to {1}", "{}", "say {}", "#"),
    ("{0} := {1}", '"{}"', "Println({})", "//"),
)


def write_assignments(writer):
    """Names with values, one of which may get another's value or a new one."""
    line, quotes, prints, comment = writer.one(NOTATIONS)
    names, used, values, lines = writer.random.sample(NAMES, writer.one([2, 2, 3, 3, 4])), set(), {}, []
    for name in names:
        is_text = writer.chance(0.5)
        text = writer.new_value(writer.one(TEXTS if is_text else NUMBERS), used).replace(",", "")
        values[name] = (text, is_text)
        lines.append(line.format(name, quotes.format(text) if is_text else text))
    asked = writer.random.sample(names, min(len(names), 2))
    if writer.chance(0.3):
        change(writer, line, quotes, names, values, lines)
        asked = [names[-1], *asked[:1]] if writer.chance(0.6) else asked
    asks = [ask_value(writer, name, *values[name], prints, comment) for name in dict.fromkeys(asked)]
    return Item("\n".join(lines), asks)


def change(writer, line, quotes, names, values, lines):
    """The last name gets the value of another, or a new one."""
    last, other = names[-1], writer.one(names[:-1])
    if writer.chance(0.6):
        lines[-1] = line.format(last, other)
        values[last] = values[other]
    else:
        text, is_text = writer.pools.draw("lower"), True
        if not values[last][1]:
            text, is_text = writer.pools.draw("number"), False
        lines.append(line.format(last, quotes.format(text) if is_text else text))
        values[last] = (text, is_text)


def ask_value(writer, name, text, is_text, prints, comment):
    """What a name stands for, as a question, a sentence, or code that prints it."""
    way = writer.random.random()
    if way < 0.3:
        return Ask(
            f"{prints.format(name)}  {comment} {writer.one(['prints', 'shows', 'gives', 'is'])}", text, is_start=True
        )
    if way < 0.42 and is_text:
        return Ask(f'The value of {name} is "', text, is_start=True, between="")
    if way < 0.7:
        start = writer.one(
            [f"The value of {name} is", f"The {name} is", f"Here {name} is", f"The program uses the {name}"]
        )
        return Ask(start, text, is_start=True)
    if way < 0.8:
        return Ask(f"{name}", text, is_field=True)
    return Ask(writer.one([f"What is the value of {name}?", f"What is {name}?", f"What is the {name}?"]), text)


def write_object(writer):
    """An object in JSON with questions about its keys."""
    names, used = writer.random.sample(NAMES, writer.one([2, 3, 3, 4])), set()
    rows = []
    for name in names:
        is_text = writer.chance(0.6)
        rows.append((name, writer.new_value(writer.one(TEXTS if is_text else NUMBERS), used).replace(",", ""), is_text))
    parts = [f'"{name}": ' + (f'"{text}"' if is_text else text) for name, text, is_text in rows]
    is_long = writer.chance(0.3)
    context = "{\n  " + ",\n  ".join(parts) + "\n}" if is_long else "{" + ", ".join(parts) + "}"
    asks = [ask_value(writer, *row, "data.{}", "//") for row in writer.random.sample(rows, 2)]
    return Item(context, asks)
