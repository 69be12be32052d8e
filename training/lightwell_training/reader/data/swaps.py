"""Makes a question that has an answer into one that has none.

A name, number or content word is exchanged for another one of the same article.
"""

import re

import numpy as np

NUMBER = re.compile(r"\b[0-9][0-9,.]*\b(?!')")
NAME = re.compile(r"(?<=[a-z,;] )(?:[A-Z][\w'’-]+)(?: (?:of |the )?[A-Z][\w'’-]+)*")
WORD = re.compile(r"\b[a-z]{5,}\b")
OPPOSITES = dict(
    pair.split("/")
    for pair in (
        "first/last last/first after/before before/after most/least least/most largest/smallest "
        "smallest/largest highest/lowest lowest/highest north/south south/north east/west west/east "
        "northern/southern southern/northern eastern/western western/eastern more/fewer less/more "
        "increase/decrease increased/decreased early/late late/early began/ended begin/end start/end "
        "started/ended won/lost lost/won accept/reject with/without male/female female/male old/new new/old "
        "major/minor high/low low/high large/small small/large long/short longest/shortest oldest/newest "
        "best/worst good/bad allowed/forbidden inside/outside above/below public/private "
    ).split()
)
DENIALS = {word: word + "n't" for word in "is was did does are were has can could should".split()}
OPPOSITE_SHARE, DENIAL_SHARE, NAME_FIRST_SHARE = 0.3, 0.08, 0.8
COMMON = frozenset(
    "which where there their about would could during these those after before between while being other under does "
    "called known many often name named people person year years place kind type number most first were".split()
)


ALIKE = (0.1, 0.8)  # cosine between a text and its replacement: of the same sort, not the same meaning
BEST = 4  # replacements, those most like the text, of which one is drawn


class Swapper:
    """Draws replacements from the passages of the same article, half of the time from the question's own passage."""

    def __init__(self, contexts, seed, similarity):
        self.random, self.similarity = np.random.default_rng(seed), similarity
        self.kinds = [
            {kind: sorted(set(kind.findall(text)) - COMMON) for kind in (NUMBER, NAME, WORD)} for _, text in contexts
        ]
        similarity.prepare(text for kinds in self.kinds for kind in (NAME, WORD) for text in kinds[kind])
        self.members = {}
        for index, (title, _) in enumerate(contexts):
            self.members.setdefault(title, []).append(index)
        self.title_of = [title for title, _ in contexts]

    def replacement(self, kind, old, passage):
        """Another text of this kind, or None."""
        own = self.random.random() < 0.5
        source = passage if own else self.random.choice(self.members[self.title_of[passage]])
        found = [
            text
            for text in self.kinds[source][kind]
            if text.lower() not in old.lower() and old.lower() not in text.lower()
        ]
        if kind is not NUMBER:
            alike = sorted(zip(self.similarity(old, found), found), reverse=True) if found else []
            found = [text for cosine, text in alike if ALIKE[0] < cosine < ALIKE[1]][:BEST]
        return str(self.random.choice(found)) if found else None

    def swap(self, question, passage):
        """The changed question, or None where nothing could be exchanged."""
        words = question.split(" ")
        for table, share in ((OPPOSITES, OPPOSITE_SHARE), (DENIALS, DENIAL_SHARE)):
            places = [index for index, word in enumerate(words) if word in table]
            if places and self.random.random() < share:
                at = self.random.choice(places)
                return " ".join([*words[:at], table[words[at]], *words[at + 1 :]])
        kinds = [NAME, NUMBER, WORD] if self.random.random() < NAME_FIRST_SHARE else [WORD, NAME, NUMBER]
        for kind in kinds:
            matches = [match for match in kind.finditer(question) if match.start() and match.group() not in COMMON]
            if matches:
                match = matches[self.random.integers(len(matches))]
                new = self.replacement(kind, match.group(), passage)
                if new:
                    return question[: match.start()] + new + question[match.end() :]
        return None
