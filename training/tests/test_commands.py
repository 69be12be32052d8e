"""Checks the command line: each step is a module, and each chain names steps with options that they know."""

import argparse
import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from lightwell_training.chain import base, embedder, reader
from lightwell_training.chain.steps import SETTINGS, Step, run, step
from lightwell_training.commands import MODELS, main

STEPS = [(model, step, module) for model, steps in MODELS.items() for step, (module, _) in steps.items()]
CHAINS = {"base": base, "embedder": embedder, "reader": reader}
DATA, OUT, MODEL = Path("data"), Path("out"), Path("model")


@pytest.mark.parametrize(("model", "step", "module"), STEPS)
def test_each_step_is_a_module_with_options_and_main(model, step, module):
    source = Path(find_spec(f"lightwell_training.{module}").origin).read_text(encoding="utf-8")
    names = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert {"add_options", "main"} <= names


@pytest.mark.parametrize("name", CHAINS)
def test_each_chain_gives_options_that_its_steps_know(name):
    for package in ("torch", "onnx", "onnxruntime", "tokenizers", "scipy", "sklearn"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    for words, _ in CHAINS[name].steps(DATA, OUT, MODEL):
        module = import_module(f"lightwell_training.{MODELS[words[0]][words[1]][0]}")
        parser = argparse.ArgumentParser(exit_on_error=False)
        module.add_options(parser)
        parser.parse_args(words[2:])


def test_the_chain_of_the_base_model_has_these_steps():
    steps = [" ".join(words) for words, _ in base.steps(DATA, OUT, MODEL)]
    assert steps == [
        "base corpus --data data --out out/corpus --synthetic 240000 --seed 1",
        "base further --data data --out out/corpus --seed 1",
        "base train-text --corpus out/corpus --out out/text --seed 1",
        "base train-tiles --base out/text/checkpoint.pt --tokenizer out/corpus/tokenizer.json --out out/tiles --seed 1",
        "base train-joint --corpus out/corpus --base out/text/checkpoint.pt --tiles out/tiles/checkpoint.pt "
        "--out out/joint --seed 1",
        "base mean --training out/joint --out out/mean.pt",
        "base skills --data data --out out/corpus --seed 1",
        "base train-skills --corpus out/corpus --base out/mean.pt --out out/skills --seed 1",
        "base mean --training out/skills --out out/skills/mean.pt",
        "base export --checkpoint out/skills/mean.pt --tokenizer out/corpus/tokenizer.json --out model",
        "base evaluate --checkpoint out/skills/mean.pt --folder model --corpus out/corpus "
        "--out out/figures.json --threads 2",
        "base card --figures out/figures.json --tiles out/tiles/log.jsonl --out model",
    ]


def test_a_step_whose_product_exists_is_left_out(tmp_path, monkeypatch):
    started = []

    def start(command, check, env):
        started.append((command[3:], env))
        return CompletedProcess(command, 0)

    monkeypatch.setattr("subprocess.run", start)
    (tmp_path / "there").touch()
    steps = [
        step("reader", "corpus", seed=1, unless=tmp_path / "there"),
        step("reader", "card", unless=tmp_path / "not"),
    ]
    run(lambda *folders: steps, argparse.Namespace(data=DATA, out=OUT, model=MODEL, list=False))
    assert [words for words, _ in started] == [["reader", "card"]]
    assert SETTINGS.items() <= started[0][1].items()


def test_a_chain_stops_at_a_step_that_fails(monkeypatch):
    monkeypatch.setattr("subprocess.run", lambda command, **options: CompletedProcess(command, 3))
    with pytest.raises(SystemExit, match="base corpus ended with status 3"):
        run(base.steps, argparse.Namespace(data=DATA, out=OUT, model=MODEL, list=False))


def test_the_list_runs_nothing(monkeypatch, capsys):
    monkeypatch.setattr("subprocess.run", None)
    main(["reader", "run", "--data", "data", "--out", "out", "--list"])
    assert len(capsys.readouterr().out.splitlines()) == len(reader.steps(DATA, OUT, MODEL))


def test_options_keep_their_order():
    assert step("base", "mean", training="a", out="b") == Step(("base", "mean", "--training", "a", "--out", "b"))


@pytest.mark.parametrize("words", [[], ["base"], ["nothing", "run"], ["base", "nothing"]])
def test_unknown_words_are_refused(words, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(words)
    assert exit_info.value.code == 2
    assert "usage" in capsys.readouterr().err
