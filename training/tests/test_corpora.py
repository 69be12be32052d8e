"""Checks what is said about a corpus that is missing, wrong or right, and that the corpora of every step are known."""

import argparse
import ast
import re
from pathlib import Path

import pytest

import lightwell_training
from lightwell_training.commands import main
from lightwell_training.corpora import sources
from lightwell_training.corpora.sources import CORPORA, Corpus, WrongCorpusError, add_data_option, check, checksum

PACKAGE = Path(lightwell_training.__file__).parent
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture
def one_corpus(tmp_path, monkeypatch):
    """A table of one corpus that must be empty, and the folder for it."""
    monkeypatch.setattr(sources, "CORPORA", {"one": Corpus("one.xz", "a text", "somewhere", "CC0", EMPTY)})
    return tmp_path


def test_a_right_corpus_passes(one_corpus):
    (one_corpus / "one.xz").write_bytes(b"")
    check(one_corpus, ["one"])
    assert checksum(one_corpus / "one.xz") == EMPTY


def test_a_wrong_corpus_is_told_with_place_expected_and_got(one_corpus):
    path = one_corpus / "one.xz"
    path.write_bytes(b"other")
    with pytest.raises(WrongCorpusError, match=f"{re.escape(str(path))}: expected SHA-256 {EMPTY}, got d9298a10"):
        check(one_corpus, ["one"])


def test_a_missing_corpus_is_told_with_its_source(one_corpus):
    with pytest.raises(WrongCorpusError, match="expected a text from somewhere, got no file"):
        check(one_corpus, ["one"])


def test_a_step_stops_before_it_writes(tmp_path):
    pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    pytest.importorskip("numpy", reason="numpy is not installed")
    out = tmp_path / "out"
    with pytest.raises(SystemExit, match=r"lightwell_training base corpus: .*dialogues"):
        main(["base", "corpus", "--data", str(tmp_path), "--out", str(out)])
    assert not out.exists()


def test_the_data_folder_comes_from_the_variable(monkeypatch):
    monkeypatch.setenv("LIGHTWELL_DATA", "corpora")
    parser = argparse.ArgumentParser()
    add_data_option(parser)
    assert parser.parse_args([]).data == Path("corpora")
    assert parser.parse_args(["--data", "other"]).data == Path("other")


def test_the_data_folder_must_be_given_without_the_variable(monkeypatch):
    monkeypatch.delenv("LIGHTWELL_DATA", raising=False)
    parser = argparse.ArgumentParser()
    add_data_option(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([])


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_each_corpus_has_source_licence_and_checksum(corpus):
    assert corpus.source and corpus.licence and corpus.what
    assert re.fullmatch(r"(lm|qa|pairs|eval)/[\w.-]+\.xz", corpus.path)
    assert re.fullmatch(r"[0-9a-f]{64}", corpus.sha256)


def steps_with_data():
    """Paths of the modules that take --data, apart from the chains, which leave the check to their steps."""
    for path in sorted(PACKAGE.rglob("*.py")):
        takes_data = "add_data_option(parser)" in path.read_text(encoding="utf-8")
        if takes_data and path.parent.name not in ("corpora", "chain"):
            yield path


@pytest.mark.parametrize("path", list(steps_with_data()), ids=lambda path: path.stem)
def test_each_step_checks_corpora_that_are_known(path):
    """Reads the source instead of importing it, so that the test needs no torch."""
    source = path.read_text(encoding="utf-8")
    [read] = [
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "READ"
    ]
    assert set(read) <= CORPORA.keys()
    assert re.search(r'def main\(arguments\):\n    """.*"""\n    check\w*\(arguments\.data, READ\)', source)
