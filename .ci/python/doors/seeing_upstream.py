"""An upstream whose models take pictures and think when they are asked to, make pictures, speak and listen.

It speaks chat completions alone of the forms of chats.

The answers are those of a small model of Hone's, which sees the texts: suites of clients test forms, not knowledge.

    python seeing_upstream.py <port> <url of Hone> <key>
"""

import base64
import io
import json
import struct
import sys
import wave
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

MODEL = "hone-tiny"
PROMPT_TOKENS = 900
ANSWER_CHARACTERS = 300
THOUGHT = "The question is short, so the answer can be short."
THOUGHT_TOKENS = 5
SIZE = 8


def png():
    """A red square."""
    rows = (b"\0" + b"\xff\0\0" * SIZE) * SIZE
    parts = [(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def wav():
    """A tenth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as audio:
        audio.setnchannels(1)
        audio.setsampwidth(2)
        audio.setframerate(8_000)
        audio.writeframes(bytes(1_600))
    return file.getvalue()


def images():
    data = [{"b64_json": base64.b64encode(png()).decode()}]
    return "application/json", json.dumps({"created": 0, "data": data}).encode()


# What each answers, as its media type and bytes.
MEDIA = {
    "/v1/images/generations": images,
    "/v1/images/edits": images,
    "/v1/audio/speech": lambda: ("audio/wav", wav()),
    "/v1/audio/transcriptions": lambda: ("application/json", b'{"text": "Hello."}'),
}


def text_of(message):
    """What the model reads of a message: pictures as words, and what it thought before."""
    content = message.get("content") or ""
    parts = [content] if isinstance(content, str) else [part.get("text", "(a picture)") for part in content]
    thought = message.get("reasoning") or message.get("reasoning_content")
    return " ".join([*([thought] if thought else []), *parts])


def to_request(body):
    """The same request for the small model. Plain text is answered with what was said, as a model would recall it."""
    messages = [{**message, "content": text_of(message)} for message in body["messages"]]
    asked = {**body, "model": MODEL, "messages": messages, "truncate_prompt_tokens": PROMPT_TOKENS}
    has_result = body["messages"][-1]["role"] == "tool"
    if has_result or not (body.get("tools") or body.get("response_format")):
        said = [message["content"] for message in messages if message["role"] in ("user", "tool", "system")]
        choice = " / ".join(said)[-ANSWER_CHARACTERS:]
        for name in ("tools", "tool_choice", "parallel_tool_calls"):
            asked.pop(name, None)
        asked["structured_outputs"] = {"choice": [choice or "Hello"]}
    return asked


def with_thought(chunk):
    """The chunk that comes before the first text of a stream."""
    choice = {"index": 0, "delta": {"reasoning_content": THOUGHT}, "finish_reason": None}
    return {**chunk, "choices": [choice]}


def count_thought(usage):
    usage["completion_tokens"] += THOUGHT_TOKENS
    usage["total_tokens"] += THOUGHT_TOKENS
    usage["completion_tokens_details"] = {"reasoning_tokens": THOUGHT_TOKENS}


class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hone = ""
    key = ""

    def do_POST(self):
        sent = self.rfile.read(int(self.headers["content-length"]))
        if self.path in MEDIA:
            return self.send(200, *MEDIA[self.path]())
        body = json.loads(sent)
        effort = body.pop("reasoning_effort", None)
        thinks = effort not in (None, "none")
        body = to_request(body)
        headers = {"authorization": f"Bearer {self.key}"}
        with httpx.stream("POST", f"{self.hone}/v1/chat/completions", json=body, headers=headers, timeout=60) as answer:
            if body.get("stream") and answer.status_code == 200:
                self.stream(answer, thinks)
            else:
                self.whole(answer.status_code, json.loads(answer.read()), thinks)

    def whole(self, status, answer, thinks):
        if status == 200 and thinks:
            answer["choices"][0]["message"]["reasoning_content"] = THOUGHT
            count_thought(answer["usage"])
        self.send(status, "application/json", json.dumps(answer).encode())

    def send(self, status, kind, payload):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def stream(self, answer, thinks):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        has_thought = not thinks
        for line in answer.iter_lines():
            chunk = json.loads(line[6:]) if line.startswith("data: {") else None
            if chunk and thinks and chunk.get("usage"):
                count_thought(chunk["usage"])
                line = f"data: {json.dumps(chunk)}"
            self.wfile.write(f"{line}\n".encode())
            if chunk and not has_thought:
                has_thought = True
                self.wfile.write(f"\ndata: {json.dumps(with_thought(chunk))}\n".encode())
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_):
        pass


def serve(port, hone, key):
    """Starts the upstream; the caller runs `serve_forever` and `shutdown`."""
    handler = type("Handler", (Upstream,), {"hone": hone, "key": key})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2], sys.argv[3]).serve_forever()
