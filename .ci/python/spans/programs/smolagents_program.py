import os

import provider
from openinference.instrumentation import using_session
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIModel, tool

tracer_provider = provider.make()
SmolagentsInstrumentor().instrument(tracer_provider=tracer_provider)


@tool
def weather(city: str) -> str:
    """Weather of a city

    Args:
        city: name of the city
    """
    return f"rain in {city}"


model = OpenAIModel("m", api_base=os.environ["OPENAI_BASE_URL"], api_key="none")
text = lambda role, words: {"role": role, "content": [{"type": "text", "text": words}]}
with using_session("talk-1"):
    model.generate([text("system", "Be brief."), text("user", "2+2?")], temperature=0.5, max_tokens=9)
    model.generate([text("user", "Weather?")], tools_to_call_from=[weather])
tracer_provider.shutdown()
