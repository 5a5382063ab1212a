"""Python clients whose default is not chat completions, unmodified."""

import json
import os
import subprocess
import sys
from pathlib import Path

import anthropic
import openai
import pytest
from agents import Agent, ModelSettings, Runner, function_tool, set_default_openai_client, set_tracing_disabled
from conftest import KEY, URL, said
from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from pydantic import BaseModel
from pydantic_ai import Agent as PydanticAgent

BASE_URL = f"{URL}/v1"
ASKED = "repeat: cat"
CITY = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}}, "required": ["city"]}
FUNCTION = {"type": "function", "name": "weather", "description": "Tells the weather", "strict": True, "parameters": CITY}
# The models of these tests choose by chance at any other temperature.
SURE = ModelSettings(temperature=0)
# Anthropic's client has no parameter for it.
BODY = {"temperature": 0}
REQUIRED = ModelSettings(tool_choice="required", temperature=0)
# As the chat template of hone-tiny writes it.
CHAT = "<|bos|><|user|>repeat: {}<|end|><|assistant|>"


class Animal(BaseModel):
    legs: int


@pytest.fixture
def client() -> openai.OpenAI:
    return openai.OpenAI(base_url=BASE_URL, api_key=KEY)


@pytest.fixture
def messages() -> anthropic.resources.Messages:
    return anthropic.Anthropic(base_url=URL, api_key=KEY).messages


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the documentation of these clients says to set."""
    monkeypatch.setenv("OPENAI_BASE_URL", BASE_URL)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_openai_creates_streams_and_parses_responses(client: openai.OpenAI, model: str) -> None:
    response = client.responses.create(model=model, input=ASKED, temperature=0)
    assert (response.status, response.output_text) == ("completed", said(model))
    assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens

    with client.responses.stream(model=model, input=ASKED, temperature=0) as stream:
        types = {event.type for event in stream}
    assert {"response.created", "response.output_text.delta", "response.completed"} <= types
    assert stream.get_final_response().output_text == said(model)

    parsed = client.responses.parse(model=model, input=ASKED, text_format=Animal)
    assert isinstance(parsed.output_parsed, Animal)


def test_openai_calls_tools_and_continues_a_response(client: openai.OpenAI, model: str) -> None:
    asked = {"model": model, "tools": [FUNCTION], "temperature": 0}
    named = {"type": "function", "name": "weather"}
    first = client.responses.create(**asked, input="What is the weather in Paris?", tool_choice=named)
    [call] = first.output
    assert (call.type, call.name, list(json.loads(call.arguments))) == ("function_call", "weather", ["city"])
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "rainy"}
    second = client.responses.create(**asked, input=[result], previous_response_id=first.id)
    assert (second.status, second.previous_response_id) == ("completed", first.id)
    assert "rainy" in second.output_text
    assert client.responses.retrieve(second.id).output_text == second.output_text
    client.responses.delete(second.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(second.id)


def test_openai_reads_reasoning(client: openai.OpenAI) -> None:
    asked = {"model": "seeing-tiny", "input": ASKED}
    plain, summed = (
        client.responses.create(**asked, reasoning={"effort": "low", **more}) for more in ({}, {"summary": "auto"})
    )
    assert plain.output[0].content[0].text == summed.output[0].summary[0].text != ""
    assert plain.output_text == summed.output_text == ASKED
    assert plain.usage.output_tokens_details.reasoning_tokens == 5


def test_openai_embeds(client: openai.OpenAI) -> None:
    texts = ["a cat", "a dog", "a cat"]
    data = client.embeddings.create(model="tiny-encoder", input=texts).data
    assert [item.index for item in data] == [0, 1, 2]
    assert data[0].embedding == pytest.approx(data[2].embedding, abs=1e-6)
    assert data[0].embedding != pytest.approx(data[1].embedding, abs=1e-3)


def test_agents_call_tools(model: str) -> None:
    set_default_openai_client(openai.AsyncOpenAI(base_url=BASE_URL, api_key=KEY), use_for_tracing=False)
    set_tracing_disabled(True)
    plain = Agent(name="plain", model=model, model_settings=SURE)
    assert Runner.run_sync(plain, ASKED).final_output == said(model)

    cities = []

    @function_tool
    def get_weather(city: str) -> str:
        """Tells the weather in a city."""
        cities.append(city)
        return "rainy"

    asked = Agent(name="asked", model=model, tools=[get_weather], model_settings=REQUIRED)
    result = Runner.run_sync(asked, "What is the weather in Paris?")
    assert len(cities) == 1
    assert "rainy" in result.final_output


@pytest.mark.usefixtures("environment")
def test_pydantic_ai_answers_and_fills_a_type(model: str) -> None:
    named = {"model": f"openai:{model}", "model_settings": {"temperature": 0}}
    assert PydanticAgent(**named).run_sync(ASKED).output == said(model)
    assert isinstance(PydanticAgent(**named, output_type=Animal).run_sync(ASKED).output, Animal)


@pytest.mark.usefixtures("environment")
def test_inspect_evaluates(model: str, tmp_path: Path) -> None:
    samples = [Sample(input=f"repeat: {word}", target=word) for word in ("cat", "sun", "dog")]
    [log] = run_eval(
        Task(dataset=samples, scorer=includes()), model=f"openai/{model}", temperature=0, log_dir=str(tmp_path), display="none"
    )
    assert (log.status, log.results.scores[0].metrics["accuracy"].value) == ("success", 1)


def test_lm_eval_ranks_the_choices_of_a_task(tmp_path: Path) -> None:
    words = [("cat", "dog"), ("sun", "sky"), ("red", "blue"), ("one", "two")]
    rows = [{"question": CHAT.format(right), "choices": [wrong, right]} for right, wrong in words]
    data = tmp_path / "animals.jsonl"
    data.write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "animals.yaml").write_text(
        f"""
task: animals
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: 1
metric_list: [{{metric: acc}}]
"""
    )
    tokenizer = Path(__file__).parents[3] / "models/hone-tiny"
    arguments = f"model=hone-tiny,base_url={BASE_URL}/completions,tokenizer={tokenizer},tokenizer_backend=huggingface"
    program = [str(Path(sys.executable).with_name("lm_eval")), "run", "--model", "local-completions"]
    command = [*program, "--model_args", arguments, "--tasks", "animals", "--include_path", str(tmp_path)]
    folders = {"HF_HOME": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": KEY}
    ran = subprocess.run(command, env={**os.environ, **folders}, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    [row] = [line for line in ran.stdout.splitlines() if "acc" in line]
    assert [cell.strip() for cell in row.split("|")][7] == "1"


@pytest.mark.parametrize("make", ["responses", "messages"])
def test_langchain_answers_streams_and_calls_tools(make: str, model: str) -> None:
    @tool
    def get_weather(city: str) -> str:
        """Tells the weather in a city."""
        return "rainy"

    chat: BaseChatModel = (
        ChatOpenAI(model=model, base_url=BASE_URL, api_key=KEY, use_responses_api=True, temperature=0)
        if make == "responses"
        else ChatAnthropic(model=model, base_url=URL, api_key=KEY, max_tokens=60, temperature=0)
    )
    answer = chat.invoke(ASKED)
    assert answer.text == said(model)
    assert answer.usage_metadata["total_tokens"] > 0
    assert "".join(piece.text for piece in chat.stream(ASKED)) == said(model)
    [call] = chat.bind_tools([get_weather], tool_choice="get_weather").invoke("What is the weather in Paris?").tool_calls
    assert (call["name"], list(call["args"])) == ("get_weather", ["city"])


def test_llama_index_embeds() -> None:
    embedding = OpenAILikeEmbedding(model_name="tiny-encoder", api_base=BASE_URL, api_key=KEY)
    vectors = embedding.get_text_embedding_batch(["a cat", "a dog"])
    assert vectors[0] == pytest.approx(embedding.get_text_embedding("a cat"), abs=1e-6)
    assert vectors[0] != pytest.approx(vectors[1], abs=1e-3)


def test_anthropic_creates_streams_and_counts(messages: anthropic.resources.Messages, model: str) -> None:
    asked = {"model": model, "messages": [{"role": "user", "content": ASKED}]}
    message = messages.create(**asked, max_tokens=20, extra_body=BODY)
    assert ([block.text for block in message.content], message.stop_reason) == ([said(model)], "end_turn")
    with messages.stream(**asked, max_tokens=20, extra_body=BODY) as stream:
        assert "".join(stream.text_stream) == said(model)
    assert messages.count_tokens(**asked).input_tokens > 0


def test_anthropic_calls_tools(messages: anthropic.resources.Messages, model: str) -> None:
    tools = [{"name": "weather", "description": "Tells the weather", "input_schema": CITY}]
    turns = [{"role": "user", "content": "What is the weather in Paris?"}]
    named = {"type": "tool", "name": "weather"}
    asked = {"model": model, "max_tokens": 60, "tools": tools, "extra_body": BODY}
    message = messages.create(**asked, messages=turns, tool_choice=named)
    [call] = message.content
    assert (call.type, list(call.input), message.stop_reason) == ("tool_use", ["city"], "tool_use")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "rainy"}
    turns += [{"role": "assistant", "content": message.content}, {"role": "user", "content": [result]}]
    following = messages.create(**asked, messages=turns)
    assert "rainy" in following.content[0].text


def test_anthropic_reads_thinking(messages: anthropic.resources.Messages) -> None:
    thinking = {"type": "enabled", "budget_tokens": 1024}
    turns = [{"role": "user", "content": ASKED}]
    message = messages.create(model="seeing-tiny", max_tokens=2_000, messages=turns, thinking=thinking)
    assert [block.type for block in message.content] == ["thinking", "text"]
    turns += [{"role": "assistant", "content": message.content}, {"role": "user", "content": "repeat: dog"}]
    assert messages.create(model="seeing-tiny", max_tokens=2_000, messages=turns, thinking=thinking).stop_reason == "end_turn"
