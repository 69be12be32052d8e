"""Fixtures of the tests of the hosted service's public client, against a local server.

The tests come from its source distribution, which leaves these fixtures out. Their names, and the names of models, are those that
the tests ask for. Tests that cannot pass are listed with the reason in expected-failures.json: one that passes fails the run.
"""

import asyncio
import base64
import json
import os
from pathlib import Path

import pytest
from aleph_alpha_client import AsyncClient, Client, Image, Prompt
from PIL import Image as Picture

HERE = Path(__file__).parent
EXPECTED: dict[str, str] = json.loads(Path(os.environ["EXPECTED_FAILURES"]).read_text())

class SyncClientShim:
    """A client whose calls are awaited."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        call = getattr(self.client, name)
        return lambda *args, **options: asyncio.to_thread(call, *args, **options)


GenericClient = AsyncClient | SyncClientShim


def requires_beta_features(test):
    """Steering was a beta feature once."""
    return test


def llama_prompt(text: str) -> Prompt:
    return Prompt.from_text(f"User: {text}\nAssistant:")


def options() -> dict:
    return {"token": os.environ["TEST_TOKEN"], "host": os.environ["TEST_API_URL"], "total_retries": 0}


@pytest.fixture(scope="session")
def sync_client():
    return Client(**options())


@pytest.fixture()
async def async_client():
    async with AsyncClient(**options()) as client:
        yield client


@pytest.fixture()
def generic_client(request):
    client = request.getfixturevalue(request.param)
    return SyncClientShim(client) if request.param == "sync_client" else client


@pytest.fixture(scope="session")
def prompt_image() -> Image:
    return Image.from_file(HERE / "dog-and-cat-cover.jpg")


def named(name: str):
    return pytest.fixture(scope="session")(lambda: name)


model_name = named("luminous-base")
chat_model_name = named("llama-3.1-8b-instruct")
structured_output_model_name = named("qwen3-32b-tool")
tool_calling_model_name = named("qwen3-32b-tool")
dummy_model_name = named("dummy-model")
translation_model_name = named("pharia-1-mt-translation")
rerank_model_name = named("bge-reranker-v2-m3")


def pytest_configure(config):
    config.addinivalue_line("markers", "vcr: replies were recorded once")
    # The source distribution has no pictures. The smallest must be the one that a test expects in base64.
    Picture.radial_gradient("L").convert("RGB").resize((1800, 1200)).save(HERE / "dog-and-cat-cover.jpg")
    Picture.radial_gradient("L").convert("RGB").save(HERE / "image_example.jpg")
    tiny = next(line for line in (HERE / "test_chat.py").read_text().splitlines() if line.startswith("TINY_PNG"))
    (HERE / "tiny.png").write_bytes(base64.b64decode(tiny.split('"')[1]))


def pytest_collection_modifyitems(items):
    found = {item.nodeid.removeprefix("tests/"): item for item in items}
    for name, reason in EXPECTED.items():
        found[name].add_marker(pytest.mark.xfail(reason=reason, strict=True))
