import os

import provider
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

tracer_provider = provider.make()
Agent.instrument_all(InstrumentationSettings(tracer_provider=tracer_provider))
model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=os.environ["OPENAI_BASE_URL"], api_key="none"))
agent = Agent(model, system_prompt="Be brief.", name="assistant")


@agent.tool_plain
def weather(city: str) -> str:
    return f"rain in {city}"


agent.run_sync(["Weather?", BinaryContent(b"abc", media_type="image/png")], conversation_id="talk-1")
tracer_provider.shutdown()
