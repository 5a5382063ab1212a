import chat
import provider
from openinference.instrumentation import using_session
from openinference.instrumentation.openai import OpenAIInstrumentor

tracer_provider = provider.make()
OpenAIInstrumentor().instrument(tracer_provider=tracer_provider)
with using_session("talk-1"):
    chat.ask()
tracer_provider.shutdown()
