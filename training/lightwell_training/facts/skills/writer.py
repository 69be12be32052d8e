"""Writes documents that ask for one skill at a time: what is not so, opinions, amounts, keys, lists, code, speakers."""

from pathlib import Path

from lightwell_training.facts.kinds import answer, fill, read_kinds
from lightwell_training.facts.skills.code import write_assignments, write_object
from lightwell_training.facts.skills.comparison import write_comparison
from lightwell_training.facts.skills.counting import write_count
from lightwell_training.facts.skills.item import Ask, Item
from lightwell_training.facts.skills.lists import write_list, write_lists
from lightwell_training.facts.skills.opinions import write_opinion
from lightwell_training.facts.skills.records import write_groups, write_record, write_table
from lightwell_training.facts.writer import Writer

TEMPLATES = Path(__file__).with_name("templates")

# The skills, and the share of documents of each.
SHARES = {
    "negation": 0.13,
    "speakers": 0.1,
    "words": 0.11,
    "slots": 0.08,
    write_opinion: 0.1,
    write_comparison: 0.14,
    write_count: 0.07,
    write_record: 0.06,
    write_groups: 0.01,
    write_table: 0.07,
    write_list: 0.05,
    write_lists: 0.02,
    write_assignments: 0.04,
    write_object: 0.02,
}

# Question, answer, and what stands between; a question may stand without its name.
FORMS = (
    ("Question: ", "\nAnswer:"),
    ("Question: ", "\nAnswer:"),
    ("Question: ", "\nAnswer:"),
    ("Question: ", " Answer:"),
    ("Q: ", "\nA:"),
    ("Q: ", " A:"),
    ("", "\nAnswer:"),
    ("", "\nAnswer:"),
    ("User: ", "\nAssistant:"),
)


class SkillWriter(Writer):
    """A writer whose `skills` makes one document."""

    def __init__(self, random, pools, fillers):
        super().__init__(random, pools, fillers)
        self.templates = {path.stem: read_kinds(path) for path in sorted(TEMPLATES.iterdir())}

    def skills(self):
        """One to three contexts, each with what is asked about it, or two contexts and then all questions."""
        skill = self.skill()
        items = [self.item(skill if self.chance(0.5) else self.skill()) for _ in range(self.one([1, 1, 1, 2, 2, 3]))]
        if len(items) == 2 and self.chance(0.25):
            first, second = items
            items = [Item(f"{first.context}\n{second.context}", [*second.asks, *first.asks])]
        return "\n\n".join(self.written(item) for item in items)

    def skill(self):
        """A skill, drawn as SHARES says."""
        return self.random.choices(list(SHARES), SHARES.values())[0]

    def item(self, skill):
        """A context of a skill, and what may be asked about it."""
        return skill(self) if callable(skill) else self.from_templates(self.templates[skill])

    def from_templates(self, kinds):
        """One fact of the kinds, rarely two of different kinds."""
        used, chosen = set(), self.random.sample(kinds, 2 if self.chance(0.15) else 1)
        contexts, asks = [], []
        for kind in chosen:
            sentence, values = self.state(kind, (), used)
            contexts.append(sentence.replace("\\n", "\n"))
            asks += [
                *(
                    Ask(*self.filled(pair, values))
                    for pair in self.answerable(kind.questions, values, len(chosen) == 1)
                ),
                *(
                    Ask(*self.filled(pair, values), is_start=True)
                    for pair in self.answerable(kind.summaries, values, True)
                ),
                *(
                    Ask(self.one(names), values[value], is_field=True)
                    for names, value in kind.fields
                    if value in values
                ),
            ]
        self.random.shuffle(asks)
        # An answer that stands in the question before is no question any more.
        asks = list({ask.answer: ask for ask in asks}.values()) if self.chance(0.9) else asks
        return Item("\n".join(contexts), asks[: self.one([1, 1, 2, 3])])

    def filled(self, pair, values):
        """Question and answer with their values."""
        return [fill(part, values) for part in pair]

    def written(self, item):
        """The context and its questions in one form, sometimes with prose in front or between."""
        context = item.context
        if self.chance(0.12):
            count = self.one([1, 1, 2, 5])
            start = self.random.randrange(len(self.fillers) - count)
            prose = " ".join(self.fillers[start : start + count])
            context = f"{prose}\n{context}" if self.chance(0.6) else f"{context}\n{prose}"
        ask, reply = self.one(FORMS)
        gap = self.one(["\n", "\n", "\n\n"]) if ask else self.one(["\n", "\n\n"])
        lines = [self.line(each, ask, reply) for each in item.asks]
        return context + "".join(gap + line for line in lines)

    def line(self, each, ask, reply):
        """A question with its answer, a field, or the beginning of a sentence with its end."""
        ends = ask == "User: " or each.is_sentence()
        end = self.one(["", "", "."]) if ends else ""
        if each.is_start:
            return f"{each.question}{each.between}{answer(each.answer)}{end if each.is_sentence() else ''}"
        if each.is_field:
            return f"{each.question}: {answer(each.answer)}"
        return f"{ask}{each.question}{reply} {answer(each.answer)}{end}"
