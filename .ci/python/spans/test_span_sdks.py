"""SDKs that trace requests to OpenAI, unmodified, each in a process of its own: the whole calls that their spans become."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake_openai
import httpx
import pytest

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
PROGRAMS = Path(__file__).parent / "programs"
# What the program that asks Hone's own gateway has in place of the server of OpenAI.
GATEWAY = {"OPENAI_BASE_URL": f"{URL}/v1", "OPENAI_API_KEY": KEY, "MODEL": "hone-tiny"}
PRICES = {"prompt_token_cost": 0.001, "completion_token_cost": 0.002}
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "weather", "description": "Weather of a city", "parameters": PARAMETERS}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Bern"}'}}
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}]
ASKING = [{"role": "user", "content": "Weather?"}]
SAID = [{"index": 0, "message": {"role": "assistant", "content": "It is 4."}, "finish_reason": "stop"}]
CALLED = [{"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}, "finish_reason": "tool_calls"}]


@pytest.fixture(scope="session")
def calls_of() -> Iterator[Callable[[str], list[dict]]]:
    """Reads the calls of an SDK. All programs run from the start, as many at once as there are cores."""
    openai_url = fake_openai.start()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        names = [file.name.removesuffix("_program.py") for file in PROGRAMS.glob("*_program.py")]
        running = {name: pool.submit(run, name, openai_url) for name in names}

        def read(sdk: str) -> list[dict]:
            running[sdk].result()
            return read_calls(project_of(sdk))

        yield read
        pool.shutdown(cancel_futures=True)


def project_of(sdk: str) -> str:
    return f"local/sdk-{sdk}"


def run(sdk: str, openai_url: str) -> None:
    """Runs the program of an SDK in a project where its model has a price."""
    project = project_of(sdk)
    costs = {model: {"effective_date": "2020-01-01T00:00:00Z", **PRICES} for model in ("m", "m-2026", "hone-tiny")}
    priced = httpx.post(f"{URL}/cost/create", json={"project_id": project, "costs": costs}, auth=("api", KEY), timeout=60)
    priced.raise_for_status()
    settings = {
        "OPENAI_BASE_URL": openai_url,
        "OPENAI_API_KEY": "none",
        "HONE_PROJECT": project,
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"{URL}/otel",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{KEY}",
        "OTEL_RESOURCE_ATTRIBUTES": f"hone.project={project}",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true",
        "LANGFUSE_HOST": URL,
        "LANGFUSE_PUBLIC_KEY": "pk-lf-1",
        "LANGFUSE_SECRET_KEY": KEY,
        **(GATEWAY if sdk == "langchain_gateway" else {}),
    }
    program = PROGRAMS / f"{sdk}_program.py"
    ran = subprocess.run([sys.executable, program], env={**os.environ, **settings}, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr


def read_calls(project: str) -> list[dict]:
    """The calls of a project, the oldest first."""
    query = {"project_id": project, "sort_by": [{"field": "started_at", "direction": "asc"}], "include_costs": True}
    answer = httpx.post(f"{URL}/calls/stream_query", json=query, auth=("api", KEY))
    return [json.loads(line) for line in answer.raise_for_status().text.splitlines()]


def usage_of(call: dict) -> dict:
    [usage] = call["summary"]["usage"].values()
    return usage


def assert_usage(call: dict, model: str = "m-2026", cached: int | None = 10, reasoning: int | None = 5) -> None:
    expected = {"requests": 1, "prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}
    if cached is not None:
        expected["prompt_tokens_details"] = {"cached_tokens": cached}
    if reasoning is not None:
        expected["completion_tokens_details"] = {"reasoning_tokens": reasoning}
    assert list(call["summary"]["usage"]) == [model]
    assert usage_of(call) == expected
    assert call["summary"]["hone"]["costs"][model]["total_cost"] == pytest.approx(30 * 0.001 + 12 * 0.002)


def called_with(arguments: str) -> list[dict]:
    """The choices with the call of a tool whose arguments an SDK has written in its own way."""
    function = {"name": "weather", "arguments": arguments}
    message = {**CALLED[0]["message"], "tool_calls": [{**CALL, "function": function}]}
    return [{**CALLED[0], "message": message}]


def test_openinference(calls_of):
    said, called = calls_of("openinference")
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert_usage(call)


def test_openllmetry(calls_of):
    said, called = calls_of("openllmetry")
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["thread_id"] is None
        assert call["exception"] is None
        assert_usage(call)


def test_opentelemetry_with_logs_and_metrics(calls_of):
    said, called = calls_of("opentelemetry")
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["thread_id"] is None
        assert call["exception"] is None
        assert_usage(call, cached=None, reasoning=None)


def test_langfuse_by_its_host(calls_of):
    work, generation, tool = calls_of("langfuse")
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


def test_pydantic_ai(calls_of):
    agent, first, tool, second = calls_of("pydantic_ai")
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
        assert call["exception"] is None


def test_logfire(calls_of):
    answer, said, called = calls_of("logfire")
    assert answer["display_name"] == "Answer 2+2?"
    assert said["display_name"] == "Chat Completion with 'm'"
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["parent_id"] == answer["id"]
        assert call["exception"] is None
        assert_usage(call)


def test_mlflow_autolog(calls_of):
    work, said, called = calls_of("mlflow")
    assert work["inputs"] == {"question": "2+2?"}
    assert work["output"] == "asked 2+2?"
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"]["choices"][0]["message"]["content"] == "It is 4."
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"]["choices"][0]["message"]["tool_calls"] == [CALL]
    for call in (said, called):
        assert call["parent_id"] == work["id"]
        assert call["exception"] is None
        assert_usage(call)


def test_langchain_by_openinference(calls_of):
    said, called = calls_of("langchain_openinference")
    sent = {"model": "m", "model_name": "m", "stream": False, "_type": "openai-chat"}
    assert said["inputs"] == {**sent, "temperature": 0.5, "max_completion_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {**sent, "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": called_with('{"city": "Bern"}')}
    for call in (said, called):
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert_usage(call)


def test_langchain_by_openllmetry(calls_of):
    said, called = calls_of("langchain_openllmetry")
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    assert called["output"] == {"model": "m-2026", "choices": CALLED}
    for call in (said, called):
        assert call["thread_id"] is None
        assert call["exception"] is None
        assert_usage(call, reasoning=None)


def test_langchain_through_the_gateway(calls_of):
    said, called, streamed = calls_of("langchain_gateway")
    sent = {"model": "hone-tiny", "temperature": 0, "max_completion_tokens": 9}
    assert said["inputs"].items() >= {**sent, "messages": MESSAGES}.items()
    assert streamed["inputs"].items() >= {**sent, "messages": MESSAGES, "stream": True}.items()
    [whole], [assembled] = said["output"]["choices"], streamed["output"]["choices"]
    assert assembled["message"]["content"] == whole["message"]["content"]
    assert assembled["finish_reason"] == whole["finish_reason"]
    # The engine reads the prompt of the second from its cache, which it says.
    for count in ("prompt_tokens", "completion_tokens", "total_tokens"):
        assert usage_of(streamed)[count] == usage_of(said)[count]
    assert called["inputs"]["tools"] == [TOOL]
    [tool_call] = called["output"]["choices"][0]["message"]["tool_calls"]
    assert tool_call["function"]["name"] == "weather"
    for call in (said, called, streamed):
        assert call["exception"] is None
        assert usage_of(call)["completion_tokens"] > 0
        assert call["summary"]["hone"]["costs"]["hone-tiny"]["total_cost"] > 0


def test_openai_agents(calls_of):
    calls = calls_of("openai_agents")
    first, second = [call for call in calls if "usage" in call["summary"]]
    [tool] = [call for call in calls if call["output"] == "rain in Bern"]
    result = {"role": "tool", "tool_call_id": "call_1", "content": "rain in Bern"}
    asked = [MESSAGES[0], *ASKING]
    assert first["inputs"]["messages"] == asked
    assert first["output"]["choices"] == [{**CALLED[0], "finish_reason": None}]
    assert second["inputs"]["messages"] == [*asked, CALLED[0]["message"], result]
    assert second["output"]["choices"] == [{**SAID[0], "finish_reason": None}]
    assert tool["inputs"] == {"city": "Bern"}
    for call in calls:
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert call["trace_id"] == calls[0]["trace_id"]
    for call in (first, second):
        assert_usage(call, "m", cached=None, reasoning=None)


def test_haystack(calls_of):
    pipeline, said, asking, called = calls_of("haystack")
    assert said["inputs"] == {"model": "m-2026", "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": [{**SAID[0], "finish_reason": None}]}
    assert called["inputs"] == {"model": "m-2026", "messages": ASKING}
    [tool_call] = called["output"]["choices"][0]["message"]["tool_calls"]
    assert tool_call["function"] == {"name": "weather", "arguments": '{"city": "Bern"}'}
    for call, parent in ((said, pipeline), (called, asking)):
        assert call["parent_id"] == parent["id"]
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert_usage(call, cached=None, reasoning=None)


def test_smolagents(calls_of):
    said, called = calls_of("smolagents")
    words = lambda message: {**message, "content": [{"type": "text", "text": message["content"]}]}
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": [*map(words, MESSAGES)]}
    assert said["output"]["choices"][0]["message"] == words(SAID[0]["message"])
    assert called["inputs"]["messages"] == [*map(words, ASKING)]
    assert called["inputs"]["tools"][0]["function"]["name"] == "weather"
    assert called["output"]["choices"] == [{**CALLED[0], "finish_reason": None}]
    for call in (said, called):
        assert call["thread_id"] == "talk-1"
        assert call["exception"] is None
        assert_usage(call, "m", cached=None, reasoning=None)


def test_litellm_callback(calls_of):
    calls = calls_of("litellm")
    said, called = [call for call in calls if call["parent_id"] is None]
    assert said["inputs"] == {"model": "m", "temperature": 0.5, "max_tokens": 9, "messages": MESSAGES}
    assert said["output"] == {"model": "m-2026", "choices": SAID}
    assert called["inputs"] == {"model": "m", "tools": [TOOL], "messages": ASKING}
    # LiteLLM leaves out the ids of calls of tools.
    called_without_id = {**CALLED[0]["message"], "tool_calls": [{**CALL, "id": None}]}
    assert called["output"] == {"model": "m-2026", "choices": [{**CALLED[0], "message": called_without_id}]}
    for call in (said, called):
        assert call["exception"] is None
        assert_usage(call, cached=None, reasoning=None)
