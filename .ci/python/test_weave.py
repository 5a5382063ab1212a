"""The Python SDK weave, unmodified: the guide to the letter, and what else it promises."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
GUIDE = (Path(__file__).parents[2] / "docs/guides/weave-python.md").read_text()


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)[1]


def run(program: str, tmp_path: Path) -> list[str]:
    """Runs a program as the guide says. Returns the lines that it printed."""
    settings = block("sh").replace("http://127.0.0.1:8080", URL)
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        ["bash", "-c", f'{settings}exec "{sys.executable}" program.py'],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "HONE_KEY": KEY,
            # What it has once sent it does not send again, not even to another server.
            "WEAVE_SERVER_CACHE_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout.splitlines()


def calls(project_id: str, **query) -> list[dict]:
    body = {"project_id": project_id, **query}
    answer = httpx.post(f"{URL}/calls/stream_query", json=body, auth=("api", KEY)).raise_for_status()
    return [httpx.Response(200, text=line).json() for line in answer.text.splitlines() if line]


def test_follows_the_guide(tmp_path):
    printed = run(block("python"), tmp_path)
    for line in block("text").splitlines():
        assert line in printed
    names = {call["op_name"].split("/op/")[1].split(":")[0] for call in calls("local/demo-py")}
    assert {"answer", "is_right", "Evaluation.evaluate"} <= names
    body = {"project_id": "local/demo-py", "sort_by": [{"field": "feedback_type", "direction": "asc"}]}
    feedback = httpx.post(f"{URL}/feedback/query", json=body, auth=("api", KEY)).json()["result"]
    assert {"hone.note.1", "hone.reaction.1"} <= {one["feedback_type"] for one in feedback}


def test_keeps_objects_errors_and_what_the_logger_writes(tmp_path):
    printed = run(
        '''
import weave
from weave import EvaluationLogger

client = weave.init("local/more-py")


class Adder(weave.Model):
    bias: int = 0

    @weave.op
    def predict(self, x: int) -> int:
        return x + self.bias


weave.publish(Adder(bias=3), name="adder")
print(weave.ref("adder").get().predict(4))
weave.publish(weave.MessagesPrompt([{"role": "user", "content": "{x}"}]), "prompt")
print(weave.ref("prompt").get().format(x="y"))


@weave.op
def fails():
    raise ValueError("no")


try:
    fails()
except ValueError:
    pass

logger = EvaluationLogger(model="m", dataset="d")
for x in range(3):
    prediction = logger.log_prediction(inputs={"x": x}, output=2 * x)
    prediction.log_score(scorer="positive", score=x > 0)
    prediction.finish()
logger.log_summary({"mean": 2})
client.flush()
failed = client.get_calls(query={"$expr": {"$contains": {
    "input": {"$getField": "exception"}, "substr": {"$literal": "ValueError"}}}})
print(len(failed), failed[0].summary["weave"]["status"].value)
failed[0].set_display_name("failing on purpose")
client.flush()
print(client.get_call(failed[0].id).display_name)
client.delete_call(failed[0])
client.flush()
print(len(client.get_calls(filter={"call_ids": [failed[0].id]})))
''',
        tmp_path,
    )
    assert printed[-5:] == [
        "7",
        "[{'role': 'user', 'content': 'y'}]",
        "1 error",
        "failing on purpose",
        "0",
    ]


@pytest.mark.parametrize("compression", list(Compression))
@pytest.mark.parametrize(
    "path, headers",
    [
        ("/otel/v1/traces", {"Authorization": httpx.BasicAuth("api", KEY)._auth_header}),
        ("/compat/weave/otel/v1/traces", {"wandb-api-key": KEY}),
        ("/compat/weave/agents/otel/v1/traces", {"wandb-api-key": KEY}),
    ],
)
def test_takes_spans(path, headers, compression):
    project = f"spans{path.replace('/', '-')}-{compression.value}"
    resource = Resource.create({"wandb.entity": "local", "wandb.project": project})
    provider = TracerProvider(resource=resource)
    exporter = OTLPSpanExporter(endpoint=URL + path, headers=headers, compression=compression)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("lib").start_as_current_span("chat m") as span:
        span.set_attributes({"gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 5})
    provider.shutdown()
    [call] = calls(f"local/{project}")
    assert call["op_name"] == "chat m"
    assert call["summary"]["usage"]["m"]["prompt_tokens"] == 5
