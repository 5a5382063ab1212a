import os

import chat
import provider
from haystack import Pipeline
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret
from openinference.instrumentation import using_session
from openinference.instrumentation.haystack import HaystackInstrumentor

tracer_provider = provider.make()
HaystackInstrumentor().instrument(tracer_provider=tracer_provider)


def pipeline(**settings) -> Pipeline:
    made = Pipeline()
    made.add_component(
        "llm",
        OpenAIChatGenerator(Secret.from_token("none"), model="m", api_base_url=os.environ["OPENAI_BASE_URL"], **settings),
    )
    return made


function = chat.TOOLS[0]["function"]
tool = Tool(function["name"], function["description"], function["parameters"], lambda city: f"rain in {city}")
with using_session("talk-1"):
    asked = [ChatMessage.from_system("Be brief."), ChatMessage.from_user("2+2?")]
    pipeline(generation_kwargs={"temperature": 0.5, "max_tokens": 9}).run({"llm": {"messages": asked}})
    pipeline(tools=[tool]).run({"llm": {"messages": [ChatMessage.from_user("Weather?")]}})
tracer_provider.shutdown()
