"""Chats with Hone's own gateway, which makes a call of each: whole, with a tool, and as a stream with its usage."""

import chat
import langchain_chat

model = langchain_chat.model(temperature=0, max_tokens=9)
model.invoke(chat.MESSAGES)
langchain_chat.model(temperature=0).bind_tools(chat.TOOLS, tool_choice="weather").invoke(chat.ASKING)
with_usage = [chunk for chunk in model.stream(chat.MESSAGES, stream_usage=True) if chunk.usage_metadata]
assert len(with_usage) == 1, with_usage
