"""Lists in a sentence or with numbers, and questions about places in them."""

from lightwell_training.facts.skills.item import Ask, Item

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")

# Names of a list, the pool of its entries, and what one entry is called.
LISTS = (
    ("Shopping list", "food", "item"),
    ("To buy", "food", "item"),
    ("Packing list", "thing", "item"),
    ("Needed", "thing", "thing"),
    ("To do", "task", "task"),
    ("Tasks", "task", "task"),
    ("Plan", "task", "step"),
    ("Steps", "task", "step"),
    ("Stops", "place", "stop"),
    ("Stations", "place", "station"),
    ("Route", "place", "town"),
    ("Guests", "person", "guest"),
    ("Speakers", "person", "speaker"),
    ("Winners", "person", "winner"),
    ("Colours", "colour", "colour"),
    ("Animals", "animal", "animal"),
    ("Subjects", "subject", "subject"),
    ("Menu", "food", "dish"),
    ("Songs", "title", "song"),
    ("Books", "title", "book"),
    ("Drinks", "drink", "drink"),
    ("Languages", "language", "language"),
    ("Teams", "team", "team"),
    ("Tools", "thing", "tool"),
    ("Rooms", "building", "room"),
    ("Instruments", "instrument", "instrument"),
    ("Sports", "sport", "sport"),
)
PLURALS = {"dish": "dishes", "colour": "colours"}


def plural_of(one):
    """The plural of what an entry is called."""
    return PLURALS.get(one, f"{one}s")


def drawn(writer):
    """The name of a list, its entries, and what one entry is called."""
    name, pool, one = writer.one(LISTS)
    used = set()
    values = dict.fromkeys(writer.new_value(pool, used) for _ in range(writer.one([3, 3, 4, 4, 5, 6])))
    return name, list(values), one


def sentence_of(writer, name, values, one):
    """The list in one line."""
    line, ends = ", ".join(values), ", ".join(values[:-1]) + " and " + values[-1]
    return writer.one(
        [
            f"{name}: {line}.",
            f"{name}: {line}",
            f"The {plural_of(one)} are {ends}.",
            f"The {plural_of(one)} are {ends}, in this order.",
            f"In this order: {ends}.",
            f"First comes {values[0]}, then {', then '.join(values[1:])}.",
        ]
    )


def numbered(writer, name, values):
    """The list in lines with numbers or dashes."""
    mark = writer.one(["{}. ", "{}. ", "{}) ", "({}) ", "- ", "* "])
    values = [value[0].upper() + value[1:] for value in values] if writer.chance(0.5) else values
    return f"{name}:\n" + "\n".join(mark.format(index + 1) + value for index, value in enumerate(values)), values


def write_list(writer):
    """One list, and questions about an entry's place."""
    name, values, one = drawn(writer)
    if writer.chance(0.5):
        context = sentence_of(writer, name, values, one)
    else:
        context, values = numbered(writer, name, values)
    if writer.chance(0.2):
        context += f"\nTotal: {len(values)}"
    return Item(context, writer.random.sample(asks_about(writer, values, one), 2))


def asks_about(writer, values, one):
    """What may be asked of a list."""
    index = writer.random.randrange(len(values) - 1)
    place = writer.random.randrange(len(values))
    which = writer.one([ORDINALS[place], ORDINALS[place], "last"] if place == len(values) - 1 else [ORDINALS[place]])
    named = writer.one([f"What is the {which} {one}?", f"Which {one} is the {which} one?", f"What comes {which}?"])
    return [
        Ask(named, values[place]),
        Ask(f"The {which} {one} is", values[place], is_start=True),
        Ask(f"What is the last {one} on the list?", values[-1]),
        Ask(f"What is the first {one} on the list?", values[0]),
        Ask(f"Which {one} follows {values[index]}?", values[index + 1]),
        Ask(f"What comes right after {values[index]}?", values[index + 1]),
        Ask(f"Which {one} comes before {values[index + 1]}?", values[index]),
        copy_of(writer, values),
    ]


def copy_of(writer, values):
    """The list again, of which the last entries are to be said."""
    shown = writer.random.randrange(1, len(values))
    start = f"{writer.one(['Again', 'The list', 'All of them'])}: {', '.join(values[:shown])}"
    return Ask(start, ", ".join(values[shown:]), is_start=True, between=", ")


def write_lists(writer):
    """Two lists, of which a question names one."""
    lists = {}
    while len(lists) < writer.one([2, 2, 3]):
        name, values, one = drawn(writer)
        lists[name] = values, one
    context = "\n".join(f"{name}: {', '.join(values)}." for name, (values, _) in lists.items())
    asks = []
    for name, (values, one) in lists.items():
        asks.append(
            Ask(
                writer.one(
                    [f"Which {plural_of(one)} are there?", f"What stands under {name}?", f"Name the {plural_of(one)}."]
                ),
                ", ".join(values),
            )
        )
        asks.append(Ask(f"What is the first {one}?", values[0]))
    if len({one for _, one in lists.values()}) < len(lists):
        asks = [ask for ask in asks if "stands under" in ask.question] or [Ask(name, ", ".join(values), is_field=True)]
    writer.random.shuffle(asks)
    return Item(context, asks[:2])
