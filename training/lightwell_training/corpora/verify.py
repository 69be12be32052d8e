"""Checks every corpus of a data folder, and tells of all that are missing or wrong."""

from lightwell_training.corpora.sources import CORPORA, WrongCorpusError, add_data_option, check


def add_options(parser):
    """Adds the options of this step."""
    add_data_option(parser)


def main(arguments):
    """Prints a line per corpus; raises WrongCorpusError with all that are wrong."""
    wrong = []
    for name, corpus in CORPORA.items():
        try:
            check(arguments.data, [name])
            print(f"right  {corpus.path}")
        except WrongCorpusError as error:
            wrong.append(str(error))
    if wrong:
        raise WrongCorpusError("\n" + "\n".join(wrong))
