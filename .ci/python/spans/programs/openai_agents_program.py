import os

import chat
import provider
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
from openai import AsyncOpenAI
from openinference.instrumentation import using_session
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

tracer_provider = provider.make()
OpenAIAgentsInstrumentor().instrument(tracer_provider=tracer_provider)


@function_tool
def weather(city: str) -> str:
    """Weather of a city"""
    return f"rain in {city}"


client = AsyncOpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
model = OpenAIChatCompletionsModel(model="m", openai_client=client)
agent = Agent(name="assistant", instructions="Be brief.", model=model, tools=[weather])
with using_session("talk-1"):
    Runner.run_sync(agent, chat.ASKING)
tracer_provider.shutdown()
