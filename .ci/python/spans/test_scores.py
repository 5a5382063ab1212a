"""Scores of Langfuse and MLflow, by their own clients, unmodified: the feedback that they become."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import httpx
import mlflow
from mlflow.entities import AssessmentSource, Expectation, Feedback

URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]
PROGRAM = Path(__file__).parent / "programs/langfuse_scores.py"
PROJECT = "local/default"


def post(path: str, **body) -> dict:
    answer = httpx.post(f"{URL}{path}", json={"project_id": PROJECT, **body}, auth=("api", KEY), timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def feedback_of(call_ids: list[str], count: int) -> list[dict]:
    """All feedback of calls, once there is as much: a score waits for its span."""
    refs = [f"hone:///{PROJECT}/call/{call_id}" for call_id in call_ids]
    until = time.monotonic() + 30
    while True:
        condition = {"$expr": {"$in": [{"$getField": "trace_ref"}, [{"$literal": ref} for ref in refs]]}}
        found = post("/feedback/query", query=condition)["result"]
        if len(found) >= count or time.monotonic() > until:
            return found
        time.sleep(0.2)


def test_scores_of_langfuse_find_the_calls_of_their_spans():
    settings = {"LANGFUSE_HOST": URL, "LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": KEY}
    ran = subprocess.run([sys.executable, PROGRAM], env={**os.environ, **settings}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    # Langfuse logs what a server rejects.
    assert "rejected" not in ran.stderr, ran.stderr
    said = json.loads(ran.stdout)
    root, span = said["root"], said["span"]
    found = {one["feedback_type"]: one for one in feedback_of([root, span], 4)}
    assert set(found) == {"hone.runnable.check.fluent", "human.liked", "hone.runnable.check.tone", "hone.correction.1"}
    calls = {name: one["trace_ref"].rsplit("/", 1)[1] for name, one in found.items()}
    assert calls == {"hone.runnable.check.fluent": span, "human.liked": root, "hone.runnable.check.tone": root, "hone.correction.1": span}
    assert found["hone.runnable.check.fluent"]["scorer_ratings"] == {"fluent": 0.75}
    assert found["hone.runnable.check.fluent"]["payload"]["output"] == {"fluent": 0.75, "reason": "reads well"}
    assert found["human.liked"]["payload"]["value"] is True
    assert found["human.liked"]["runnable_ref"] is None
    assert found["hone.runnable.check.tone"]["scorer_tags"] == ["kind"]
    # Sent once more under its id, it replaced itself.
    assert found["hone.runnable.check.tone"]["payload"]["reason"] == "really"
    assert found["hone.correction.1"]["payload"]["output"] == "It is Berlin."


def test_assessments_of_mlflow_find_the_calls_of_its_traces():
    trace_id = uuid4().hex
    span_id = uuid4().hex[:16]
    span = {"traceId": trace_id, "spanId": span_id, "name": "answer"}
    times = {"startTimeUnixNano": "1768471140000000000", "endTimeUnixNano": "1768471141000000000"}
    spans = {"resourceSpans": [{"scopeSpans": [{"spans": [{**span, **times}]}]}]}
    headers = {"Authorization": f"Bearer {KEY}", "Hone-Project": PROJECT}
    assert httpx.post(f"{URL}/otel/v1/traces", json=spans, headers=headers).status_code == 200
    shared = {"trace_id": f"tr-{trace_id}"}
    person = AssessmentSource(source_type="HUMAN", source_id="ann")
    judge = AssessmentSource(source_type="LLM_JUDGE", source_id="gpt-5")
    assessments = [
        Feedback(name="polite", value=True, source=person, rationale="She thanks.", **shared),
        Feedback(name="correct", value="yes", source=judge, span_id=span_id, **shared),
        Feedback(name="words", value=12, **shared),
        Expectation(name="answer", value={"city": "Berlin"}, source=person, **shared),
    ]
    for number, assessment in enumerate(assessments):
        assessment.assessment_id = f"a-{trace_id}-{number}"
    scores = [assessment.to_dictionary() for assessment in assessments]
    counts = {"created": 4, "updated": 0, "unchanged": 0, "rejected": []}
    assert post("/feedback/import", format="mlflow", scores=scores) == counts
    assert post("/feedback/import", format="mlflow", scores=scores) == {**counts, "created": 0, "unchanged": 4}
    found = {one["feedback_type"]: one for one in feedback_of([span_id], 4)}
    assert set(found) == {"human.polite", "hone.runnable.judge.correct", "hone.runnable.check.words", "expected.answer"}
    assert (found["human.polite"]["payload"]["value"], found["human.polite"]["creator"]) == (True, "ann")
    assert found["hone.runnable.judge.correct"]["payload"]["evidence"] == "judge"
    assert found["hone.runnable.check.words"]["payload"]["evidence"] == "check"
    assert found["expected.answer"]["payload"]["value"] == {"city": "Berlin"}


def test_a_trace_that_mlflow_has_keeps_its_feedback(tmp_path, monkeypatch):
    """A trace is logged to MLflow's own store with `log_feedback`, exported as it exports itself, and sent to Hone."""
    monkeypatch.chdir(tmp_path)  # it makes folders where it runs
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    with mlflow.start_span(name="answer") as span:
        span.set_outputs("Berlin")
    mlflow.flush_trace_async_logging()
    mlflow.log_feedback(trace_id=span.trace_id, name="helpful", value=0.5, source=AssessmentSource("HUMAN", "ann"))
    exported = mlflow.get_trace(span.trace_id).to_dict()
    trace_id = span.trace_id.removeprefix("tr-")
    times = {"startTimeUnixNano": str(span.start_time_ns), "endTimeUnixNano": str(span.end_time_ns)}
    sent = {"traceId": trace_id, "spanId": span.span_id, "name": "answer", **times}
    headers = {"Authorization": f"Bearer {KEY}", "Hone-Project": PROJECT}
    body = {"resourceSpans": [{"scopeSpans": [{"spans": [sent]}]}]}
    assert httpx.post(f"{URL}/otel/v1/traces", json=body, headers=headers).status_code == 200
    scores = [json.loads(json.dumps(exported, default=str))]
    assert post("/feedback/import", format="mlflow", scores=scores)["created"] == 1
    [found] = feedback_of([span.span_id], 1)
    assert (found["feedback_type"], found["payload"]["value"]) == ("human.helpful", 0.5)
