"""The upstream of the suites, and the models that every client is tried with."""

import os
from collections.abc import Iterator
from threading import Thread

import pytest
import seeing_upstream

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]


@pytest.fixture(scope="session", autouse=True)
def upstream() -> Iterator[None]:
    server = seeing_upstream.serve(int(os.environ["HONE_SEEING_PORT"]), URL, KEY)
    Thread(target=server.serve_forever, daemon=True).start()
    yield
    server.shutdown()


@pytest.fixture(params=["hone-tiny", "seeing-tiny"])
def model(request: pytest.FixtureRequest) -> str:
    """A model of the embedded engine, and one of an upstream that speaks chat completions alone."""
    return request.param


def said(model: str, text: str = "cat") -> str:
    """The answer to `repeat: <text>`: the upstream's model repeats all that it was told."""
    return text if model == "hone-tiny" else f"repeat: {text}"
