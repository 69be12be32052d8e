"""Options of the tests."""

import pytest


def pytest_addoption(parser):
    """Adds --compile."""
    parser.addoption("--compile", action="store_true", help="compile the trainings as the real ones do (minutes)")


@pytest.fixture(autouse=True)
def uncompiled(request, monkeypatch):
    """Runs trainings uncompiled, unless --compile is given: compiling takes longer than all tests together."""
    if request.config.getoption("--compile") or not request.module.__name__.endswith("test_run"):
        return
    monkeypatch.setattr("torch.compile", lambda function, **settings: function)
