"""SDKs that trace requests to OpenAI, unmodified, each in a process of its own: the whole calls that their spans become."""

import json
import os
import subprocess
import sys
from pathlib import Path

import fake_openai
import httpx
import pytest

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
PROGRAMS = Path(__file__).parent / "programs"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "weather", "description": "Weather of a city", "parameters": PARAMETERS}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Bern"}'}}
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}]
ASKING = [{"role": "user", "content": "Weather?"}]
SAID = [{"index": 0, "message": {"role": "assistant", "content": "It is 4."}, "finish_reason": "stop"}]
CALLED = [{"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}, "finish_reason": "tool_calls"}]


@pytest.fixture(scope="session")
def openai_url() -> str:
    return fake_openai.start()


def calls_of(sdk: str, openai_url: str) -> list[dict]:
    """The calls that the program of an SDK made, the oldest first."""
    project = f"local/sdk-{sdk}"
    settings = {
        "OPENAI_BASE_URL": openai_url,
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"{URL}/otel",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{KEY}",
        "OTEL_RESOURCE_ATTRIBUTES": f"hone.project={project}",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true",
        "LANGFUSE_HOST": URL,
        "LANGFUSE_PUBLIC_KEY": "pk-lf-1",
        "LANGFUSE_SECRET_KEY": KEY,
    }
    program = PROGRAMS / f"{sdk}_program.py"
    ran = subprocess.run([sys.executable, program], env={**os.environ, **settings}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    query = {"project_id": project, "sort_by": [{"field": "started_at", "direction": "asc"}], "include_costs": True}
    answer = httpx.post(f"{URL}/calls/stream_query", json=query, auth=("api", KEY))
    return [json.loads(line) for line in answer.raise_for_status().text.splitlines()]


def usage_of(call: dict) -> dict:
    [usage] = call["summary"]["usage"].values()
    return usage


def assert_usage(call: dict, reasoning: int | None = 5) -> None:
    expected = {"requests": 1, "prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}
    expected["prompt_tokens_details"] = {"cached_tokens": 10}
    if reasoning is not None:
        expected["completion_tokens_details"] = {"reasoning_tokens": reasoning}
    assert list(call["summary"]["usage"]) == ["m-2026"]
    assert usage_of(call) == expected


def test_openinference(openai_url):
    said, called = calls_of("openinference", openai_url)
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert_usage(call)


def test_openllmetry(openai_url):
    said, called = calls_of("openllmetry", openai_url)
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert_usage(call)


def test_opentelemetry_with_logs_and_metrics(openai_url):
    said, called = calls_of("opentelemetry", openai_url)
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert usage_of(call)["total_tokens"] == 42


def test_langfuse_by_its_host(openai_url):
    work, generation, tool = calls_of("langfuse", openai_url)
    assert work["inputs"] == {"args": ["2+2?"], "kwargs": {}}
    assert work["output"] == {"answer": "2+2?"}
    assert work["summary"]["hone"]["status"] == "descendant_error"
    assert generation["inputs"]["messages"] == ASKING
    assert generation["inputs"]["tools"] == [TOOL]
    assert generation["inputs"]["model"] == "m-2026"
    assert generation["output"]["choices"][0]["message"] == CALLED[0]["message"]
    assert_usage(generation)
    assert tool["inputs"] == {"city": "Bern"}
    assert tool["output"] == "rain"
    assert tool["exception"] == "no umbrella"
    for call in (work, generation, tool):
        assert call["thread_id"] == "talk-1"
        assert call["trace_id"] == work["trace_id"]
    for call in (generation, tool):
        assert call["parent_id"] == work["id"]


def test_pydantic_ai(openai_url):
    agent, first, tool, second = calls_of("pydantic_ai", openai_url)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}}
    user = {"role": "user", "content": [{"type": "text", "text": "Weather?"}, image]}
    asked = [{"role": "system", "content": "Be brief."}, user]
    result = {"role": "tool", "tool_call_id": "call_1", "content": "rain in Bern"}
    assert first["inputs"]["messages"] == asked
    [definition] = first["inputs"]["tools"]
    assert definition["type"] == "function"
    assert definition["function"]["name"] == "weather"
    assert first["output"] == {"model": "m-2026", "choices": CALLED}
    assert second["inputs"]["messages"] == [*asked, CALLED[0]["message"], result]
    assert second["output"] == {"model": "m-2026", "choices": SAID}
    assert tool["inputs"] == {"city": "Bern"}
    assert tool["output"] == "rain in Bern"
    assert agent["inputs"]["messages"] == [*asked, CALLED[0]["message"], result]
    assert agent["output"] == "It is 4."
    assert "usage" not in agent["summary"]
    for call in (first, second):
        assert_usage(call)
    for call in (agent, first, tool, second):
        assert call["thread_id"] == "talk-1"


def test_logfire(openai_url):
    answer, said, called = calls_of("logfire", openai_url)
    assert answer["display_name"] == "Answer 2+2?"
    assert said["display_name"] == "Chat Completion with 'm'"
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["parent_id"] == answer["id"]
        assert_usage(call)


def test_mlflow_autolog(openai_url):
    work, said, called = calls_of("mlflow", openai_url)
    assert work["inputs"] == {"question": "2+2?"}
    assert work["output"] == "asked 2+2?"
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"]["choices"][0]["message"]["content"] == "It is 4."
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"]["choices"][0]["message"]["tool_calls"] == [CALL]
    for call in (said, called):
        assert call["parent_id"] == work["id"]
        assert_usage(call)
