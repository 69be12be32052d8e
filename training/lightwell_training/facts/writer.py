"""Synthetic texts that can only be continued by looking back: facts and questions, forms, summaries, task dialogues."""

import re

from lightwell_training.facts.dialogue import write_dialogue
from lightwell_training.facts.kinds import answer, fill, read_kinds, slots_of

SMALL_WITHIN = re.compile(
    "(?:A|At|By|For|In|It|Near|On|The|You) "
)  # first words that are written small within a sentence

TABLE_POOLS = "person place thing number colour code food title day price team animal".split()


class Writer:
    """Writes documents. `fillers` are sentences of real prose that stand between facts."""

    def __init__(self, random, pools, fillers):
        self.random, self.pools, self.fillers = random, pools, fillers
        kinds = read_kinds()
        self.stories = next(kind for kind in kinds if kind.name == "guide").sentences
        self.kinds = [kind for kind in kinds if kind.name != "guide"]
        self.with_rivals = [kind for kind in self.kinds if any(slots_of(question) for question, _ in kind.questions)]

    def one(self, options):
        return self.random.choice(options)

    def chance(self, probability):
        return self.random.random() < probability

    def document(self):
        chance = self.random.random()
        if chance < 0.55:
            return self.facts()
        if chance < 0.86:
            return write_dialogue(self)
        if chance < 0.92:
            return self.stories_document()
        return self.table() if chance < 0.96 else self.echo()

    def new_value(self, pool, used):
        """A value of `pool` that the document does not have yet, so that each question has one answer."""
        for _ in range(20):
            value = self.pools.draw(pool)
            if value not in used:
                break
        used.add(value)
        return value

    def state(self, kind, cast, used):
        """One fact: its sentence, its values. A person of the cast may come again in another kind."""
        template = self.one(kind.sentences)
        values = {}
        for name, pool in slots_of(template).items():
            free = [person for person in cast if (kind.name, person) not in used and person not in values.values()]
            if pool == "person" and free and self.chance(0.6):
                values[name] = self.one(free)
            else:
                values[name] = self.new_value(pool, used)
            if pool == "person":
                used.add((kind.name, values[name]))
        sentence = fill(template, values)
        return sentence[0].upper() + sentence[1:], values

    def facts(self, extra=None):
        """A passage of facts, then questions, a form or a summary about some of them.

        `extra` is the number of sentences of prose between them; None draws a small one.
        """
        used, count = set(), self.one([1, 2, 2, 3, 3, 4, 4, 5, 6])
        cast = [self.new_value("person", used) for _ in range(self.one([1, 2, 3]))]
        chosen = [self.one(self.kinds)]
        while len(chosen) < count:
            chosen.append(self.one(chosen) if self.chance(0.45) else self.one(self.kinds))
        self.random.shuffle(chosen)
        stated = [(kind, *self.state(kind, cast, used)) for kind in chosen]
        passage = self.heading(used) + self.join(
            [sentence for _, sentence, _ in stated], self.extra() if extra is None else extra
        )
        targets = self.random.sample(stated, min(len(stated), self.one([1, 1, 2, 2, 3])))

        def kind_count(kind):
            return sum(other is kind for other, _, _ in stated)

        def single(kind):
            return kind_count(kind) == 1

        way = self.random.random()
        if way < 0.62:
            return passage + self.questions([(kind, values, single(kind)) for kind, _, values in targets])
        if way < 0.84:
            return passage + "\n" + "\n".join(self.form(kind, values, single(kind)) for kind, _, values in targets[:2])
        return passage + self.summary([(kind, values) for kind, _, values in targets])

    def distant(self):
        """Facts with much prose between them and their questions."""
        return self.facts(extra=self.random.randint(3, 45))

    def rivals(self):
        """Facts of one kind, then questions about most of them, each of which names the fact that it means."""
        used, kind = set(), self.one(self.with_rivals)
        stated = [self.state(kind, (), used) for _ in range(self.one([2, 2, 2, 3, 3, 4]))]
        passage = self.join(self.compounds([sentence for sentence, _ in stated]), self.one([0, 0, 0, 0, 1, 2]))
        self.random.shuffle(stated)
        asked = stated[: self.one([1, 2, 3])]
        if self.answerable(kind.summaries, asked[0][1], False) and self.chance(0.2):
            return passage + self.summary([(kind, values) for _, values in asked])
        return passage + self.questions([(kind, values, False) for _, values in asked])

    def compounds(self, sentences):
        """The sentences in their order, some of them two in one."""
        whole = []
        for sentence in sentences:
            if whole and whole[-1][-1:] == "." and self.chance(0.45):
                second = sentence[0].lower() + sentence[1:] if SMALL_WITHIN.match(sentence) else sentence
                whole[-1] = (
                    whole[-1][:-1] + self.one([" and ", ", and ", ", and ", ", while ", ", but ", "; "]) + second
                )
            else:
                whole.append(sentence)
        return whole

    def heading(self, used):
        """Now and then sender and receiver, as of a message."""
        if self.chance(0.92):
            return ""
        return f"From: {self.new_value('person', used)}\nTo: {self.new_value('person', used)}\n"

    def extra(self):
        """How many sentences of prose stand between the facts: mostly none, rarely many."""
        chance = self.random.random()
        return 0 if chance < 0.75 else self.one([1, 2, 3]) if chance < 0.95 else self.random.randint(6, 16)

    def join(self, sentences, extra):
        """The sentences as a passage, with `extra` sentences of prose between, for distance.

        Where there are many, they mostly stand at the end.
        """
        sentences, first = list(sentences), len(sentences) if extra > 20 and self.chance(0.5) else 0
        start = self.random.randrange(len(self.fillers) - extra)
        for filler in self.fillers[start : start + extra]:
            sentences.insert(self.random.randint(first, len(sentences)), filler)
        return self.one([" ", " ", " ", " ", "\n"]).join(sentences)

    def answerable(self, pairs, values, single):
        """Templates whose slots the sentence mentions.

        One without a slot to tell facts apart is used only where there is a single fact of the kind.
        """
        return [
            pair for pair in pairs if slots_of("".join(pair)).keys() <= values.keys() and (single or slots_of(pair[0]))
        ]

    def questions(self, targets):
        ask, reply, between = self.one(
            [
                ("Question", "Answer", "\n"),
                ("Question", "Answer", "\n"),
                ("Question", "Answer", " "),
                ("Q", "A", "\n"),
                ("Q", "A", " "),
                ("User", "Assistant", "\n"),
            ]
        )
        lines = []
        for kind, values, single in targets:
            options = self.answerable(kind.questions, values, single)
            for question, reply_template in self.random.sample(options, min(len(options), self.one([1, 1, 2]))):
                mark = "." if ask == "User" else ""
                lines.append(
                    f"{ask}: {fill(question, values)}{between}{reply}: {answer(fill(reply_template, values))}{mark}"
                )
        return "\n" + self.one(["\n", "\n\n"]).join(lines)

    def form(self, kind, values, single):
        """Lines `Field: value`; where several facts share the kind the first line is the key."""
        known = [
            (names, re.sub(r"[a-z]\w*", lambda match: values.get(match.group(), match.group()), value))
            for names, value in kind.fields
            if set(re.findall(r"\b[a-z]\w*", value)) <= values.keys()
        ]
        if single:
            self.random.shuffle(known)
        rows = [self.field(self.one(names), value) for names, value in known]
        return "\n".join(rows if single or len(rows) > 1 else [])

    def field(self, name, value):
        """A line of a form. A room's number needs no second "room"."""
        return f"{name}: {answer(re.sub('^[Rr]oom ', '', value) if name == 'Room' else value)}"

    def summary(self, targets):
        opener = self.one(["In short:", "In short:", "So", "To sum up,", "Remember:", "As we said,"])
        lines = []
        for kind, values in targets:
            options = self.answerable(kind.summaries, values, False)
            if options:
                start, end = self.one(options)
                lines.append(f"{opener} {fill(start, values)} {answer(fill(end, values))}.")
        return self.one(["\n", " "]) + self.one([" ", "\n"]).join(lines)

    def stories_document(self):
        """Two or three little stories that end by repeating a name."""
        used, parts = set(), []
        for _ in range(self.one([1, 2, 3])):
            text, end = self.one(self.stories).split(" | ")
            values = {name: self.new_value(pool, used) for name, pool in slots_of(text).items()}
            mark = "!" if self.chance(0.3) else "."
            parts.append(
                f"{fill(text, values)} {answer(fill('{' + end.strip('{}') + '}', values))}{mark}"
                + ('"' if text.count('"') % 2 else "")
            )
        return "\n\n".join(parts)

    def table(self):
        """Keys and values in a list, then some of the keys again."""
        used = set()
        pools = self.random.sample(TABLE_POOLS, 2)
        rows = [tuple(self.new_value(pool, used) for pool in pools) for _ in range(self.random.randint(3, 7))]
        join = self.one([": ", ": ", " - ", " has ", " = "])
        again = self.random.sample(rows, min(len(rows), 4))
        return (
            "\n".join(f"{key}{join}{value}" for key, value in rows)
            + "\n\n"
            + "\n".join(f"{key}{join}{answer(value)}" for key, value in again)
        )

    def echo(self):
        """A few sentences, then one of them again, word for word."""
        used, cast = set(), [self.new_value("person", set())]
        sentences = [self.state(self.one(self.kinds), cast, used)[0] for _ in range(self.one([1, 2, 3]))]
        chosen = self.one(sentences)
        form = self.one(
            ["{0}\nAgain: {1}", "{0}\nRepeat: {1}", '{0} He said it again: "{1}"', "Text: {0}\nCopy: {1}", "{0} {1}"]
        )
        context = " ".join(sentences) if self.chance(0.4) else chosen
        self.random.random()  # decides nothing; without this draw every text behind it would be another one
        return form.format(context, answer(chosen))
