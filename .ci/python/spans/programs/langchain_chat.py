"""The requests of `chat`, as LangChain sends them."""

import os

import chat
from langchain_openai import ChatOpenAI


def model(**settings) -> ChatOpenAI:
    name = os.environ.get("MODEL", "m")
    headers = {"Hone-Project": os.environ["HONE_PROJECT"]}
    return ChatOpenAI(model=name, base_url=os.environ["OPENAI_BASE_URL"], default_headers=headers, **settings)


def ask() -> None:
    model(temperature=0.5, max_tokens=9).invoke(chat.MESSAGES)
    model().bind_tools(chat.TOOLS).invoke(chat.ASKING)
