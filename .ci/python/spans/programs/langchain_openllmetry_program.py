import langchain_chat
import provider
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

tracer_provider = provider.make()
LangchainInstrumentor().instrument(tracer_provider=tracer_provider)
langchain_chat.ask()
tracer_provider.shutdown()
