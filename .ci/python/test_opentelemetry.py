"""The OTLP exporter of OpenTelemetry for Python, unmodified."""

import json
import os
from base64 import b64encode

import httpx
import pytest
import grpc
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcSpanExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
GRPC = os.environ["HONE_OTLP_GRPC"]


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


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_takes_spans_over_grpc(compression):
    project = f"local/grpc-{compression.name.lower()}"
    provider = TracerProvider(resource=Resource.create({"hone.project": project}))
    headers = (("authorization", f"Bearer {KEY}"),)
    exporter = GrpcSpanExporter(endpoint=GRPC, insecure=True, headers=headers, compression=compression)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("lib").start_as_current_span("chat m") as span:
        span.set_attributes({"gen_ai.request.model": "m", "gen_ai.prompt": "x" * 300_000})
    provider.shutdown()
    [call] = calls(project)
    assert call["op_name"] == "chat m"


def test_a_wrong_key_fails_the_export_over_grpc(caplog):
    provider = TracerProvider()
    exporter = GrpcSpanExporter(endpoint=GRPC, insecure=True, headers=(("authorization", "Bearer no"),))
    with provider.get_tracer("lib").start_as_current_span("chat m") as span:
        pass
    assert exporter.export([span]) == SpanExportResult.FAILURE
    assert "UNAUTHENTICATED" in caplog.text
