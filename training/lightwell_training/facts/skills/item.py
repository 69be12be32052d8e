"""What a skill's text is made of: a context, and what is asked about it."""

from typing import NamedTuple


class Ask(NamedTuple):
    """A question with its answer.

    A field stands as `question: answer`; a start goes on with the answer behind a space, or with `between`.
    """

    question: str
    answer: str
    is_field: bool = False
    is_start: bool = False
    between: str = " "

    def is_sentence(self):
        """Whether it is the beginning of a sentence, as opposed to a line of code."""
        return self.is_start and self.between == " " and self.question[0].isupper() and "(" not in self.question


class Item(NamedTuple):
    """A context, and what may be asked about it, in the order in which it may stand."""

    context: str
    asks: list
