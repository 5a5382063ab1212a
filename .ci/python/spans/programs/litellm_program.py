import os
from urllib.parse import unquote

# LiteLLM takes the header as it is.
os.environ["OTEL_EXPORTER_OTLP_HEADERS"] = unquote(os.environ["OTEL_EXPORTER_OTLP_HEADERS"])
# With it, LiteLLM sends messages as logs.
del os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]

import chat
import litellm

litellm.callbacks = ["otel"]
settings = {"model": "openai/m", "api_base": os.environ["OPENAI_BASE_URL"], "api_key": "none"}
litellm.completion(messages=chat.MESSAGES, temperature=0.5, max_tokens=9, **settings)
litellm.completion(messages=chat.ASKING, tools=chat.TOOLS, **settings)
