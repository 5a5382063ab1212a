"""A server with OpenAI's chat API that answers the same each time: a call of the first tool, else a sentence."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {
    "prompt_tokens": 30,
    "completion_tokens": 12,
    "total_tokens": 42,
    "prompt_tokens_details": {"cached_tokens": 10},
    "completion_tokens_details": {"reasoning_tokens": 5},
}
ARGUMENTS = '{"city":"Bern"}'


def answer_to(request: dict) -> dict:
    tools = request.get("tools")
    if tools and request["messages"][-1]["role"] != "tool":
        function = {"name": tools[0]["function"]["name"], "arguments": ARGUMENTS}
        message = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
        finish_reason = "tool_calls"
    else:
        message, finish_reason = {"role": "assistant", "content": "It is 4."}, "stop"
    choices = [{"index": 0, "message": message, "finish_reason": finish_reason}]
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-2026", "choices": choices, "usage": USAGE}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(answer_to(request)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def start() -> str:
    """Its URL. It ends with the process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
