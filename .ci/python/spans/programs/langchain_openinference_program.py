import langchain_chat
import provider
from openinference.instrumentation import using_session
from openinference.instrumentation.langchain import LangChainInstrumentor

tracer_provider = provider.make()
LangChainInstrumentor().instrument(tracer_provider=tracer_provider)
with using_session("talk-1"):
    langchain_chat.ask()
tracer_provider.shutdown()
