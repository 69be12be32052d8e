"""Prints each corpus with its source, its licence and the SHA-256 that it must have."""

from lightwell_training.corpora.sources import CORPORA


def add_options(parser):
    """Adds nothing: the step has no options."""


def main(arguments):
    """Prints four lines per corpus."""
    for corpus in CORPORA.values():
        print(f"{corpus.path}: {corpus.what}\n  source   {corpus.source}")
        print(f"  licence  {corpus.licence}\n  SHA-256  {corpus.sha256}")
