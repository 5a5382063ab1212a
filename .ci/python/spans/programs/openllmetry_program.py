import chat
import provider
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

tracer_provider = provider.make()
OpenAIInstrumentor().instrument(tracer_provider=tracer_provider)
chat.ask()
tracer_provider.shutdown()
