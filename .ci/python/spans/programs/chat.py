"""Requests that the programs send: one for a sentence, one for a call of a tool."""

import os

from openai import OpenAI

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Weather of a city",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}]
ASKING = [{"role": "user", "content": "Weather?"}]


def client() -> OpenAI:
    return OpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key="none")


def ask() -> None:
    client().chat.completions.create(model="m", messages=MESSAGES, temperature=0.5, max_tokens=9)
    client().chat.completions.create(model="m", messages=ASKING, tools=TOOLS)
