"""The OTLP exporter of OpenTelemetry for Python, unmodified."""

import json
import os
from base64 import b64encode

import httpx
import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]


def calls(project_id: str) -> list[dict]:
    answer = httpx.post(f"{URL}/calls/stream_query", json={"project_id": project_id}, auth=("api", KEY))
    return [json.loads(line) for line in answer.raise_for_status().text.splitlines()]


@pytest.mark.parametrize("compression", list(Compression))
@pytest.mark.parametrize(
    "path, headers",
    [
        ("/otel/v1/traces", {"Authorization": "Basic " + b64encode(f"api:{KEY}".encode()).decode()}),
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
