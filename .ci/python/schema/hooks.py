"""What Schemathesis cannot know of Hone: two media types, and requests that would cost the run its key or its time."""

import json
import os

import requests
import schemathesis
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as logs
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as traces

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
MAX_TOKENS = 8

REQUESTS = {
    "exportSpans": traces.ExportTraceServiceRequest,
    "exportLangfuseSpans": traces.ExportTraceServiceRequest,
    "exportLogs": logs.ExportLogsServiceRequest,
    "exportMetrics": metrics.ExportMetricsServiceRequest,
}
ANSWERS = {
    "exportSpans": traces.ExportTraceServiceResponse,
    "exportLangfuseSpans": traces.ExportTraceServiceResponse,
    "exportLogs": logs.ExportLogsServiceResponse,
    "exportMetrics": metrics.ExportMetricsServiceResponse,
}


@schemathesis.serializer("application/x-protobuf")
def to_protobuf(ctx, value):
    """A body that is no message of OTLP goes as the text that it is: Hone must refuse it."""
    request = REQUESTS[ctx.case.operation.definition.raw["operationId"]]()
    try:
        return json_format.ParseDict(value, request, ignore_unknown_fields=True).SerializeToString()
    except (json_format.ParseError, AttributeError, TypeError, ValueError):
        return json.dumps(value, default=str).encode()


@schemathesis.deserializer("application/x-protobuf")
def from_protobuf(ctx, response):
    if response.status_code != 200:
        return {}  # a `google.rpc.Status`, which the document has no schema of
    answer = ANSWERS[ctx.operation.definition.raw["operationId"]]()
    answer.ParseFromString(response.content)
    return json_format.MessageToDict(answer)


@schemathesis.deserializer("application/x-ndjson")
def from_lines(ctx, response):
    return [json.loads(line) for line in response.content.splitlines()]


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    """The generator cannot meet the rules over several fields of a chat. Bodies that break them are a documented 422."""
    raw_schema["components"]["schemas"]["ChatCompletionRequestDto"].pop("allOf")
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            # The description of the document says once for all what too long an address is answered with.
            responses["431"] = {"description": "The headers are too large."}
            # The document has the schema of one line; the deserializer makes a list of all lines.
            for media in [content.get("application/x-ndjson") for content in contents(responses)]:
                if media:
                    media["schema"] = {"type": "array", "items": media["schema"]}


def contents(responses: dict) -> list[dict]:
    return [response.get("content", {}) for response in responses.values()]


@schemathesis.hook.apply_to(operation_id="revokeApiKey")
def before_call(ctx, case, kwargs):
    """Whoever revokes the key of the run ends it: another key of the same user is revoked in its stead."""
    if case.path_parameters.get("id") == own_key_id():
        body = {"label": "to be revoked"}
        case.path_parameters["id"] = answer_of("POST", "/account/api-keys", body)["id"]


def own_key_id() -> str:
    return answer_of("GET", "/account/me")["api_key"]["id"]


def answer_of(method: str, path: str, body: dict | None = None) -> dict:
    answer = requests.request(method, URL + path, json=body, auth=("api", KEY), timeout=60)
    answer.raise_for_status()
    return answer.json()


@schemathesis.hook("before_call").apply_to(operation_id=["createChatCompletion", "createMessage"])
def short_answers(ctx, case, kwargs):
    """A number of tokens that is drawn may take minutes to generate."""
    if not isinstance(case.body, dict):
        return
    for name in ("max_tokens", "max_completion_tokens"):
        if isinstance(case.body.get(name), int) and case.body[name] > MAX_TOKENS:
            case.body[name] = MAX_TOKENS
