"""Tracing through the package weave, unmodified, with nothing but the variables of its guide."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest

GUIDE = Path(__file__).parents[2] / "docs/guides/weave-python.md"
URL = os.environ["HONE_URL"]
KEY = os.environ["HONE_API_KEY"]

os.environ["WANDB_BASE_URL"] = URL
os.environ["WANDB_API_KEY"] = KEY
# Else it would remember what an earlier server has.
os.environ["WEAVE_SERVER_CACHE_DIR"] = tempfile.mkdtemp()

import weave  # noqa: E402  (it reads its variables when it is loaded)

PROJECT = "local/weave-py"


def canonical(path: str, **body) -> httpx.Response:
    answer = httpx.post(URL + path, json={"project_id": PROJECT, **body}, auth=("api", KEY))
    assert answer.status_code == 200, answer.text
    return answer


@pytest.fixture(scope="module")
def client():
    client = weave.init(PROJECT)
    yield client
    client.finish()


@weave.op
def double(x: float) -> float:
    return x * 2


def test_the_guide(tmp_path):
    program = re.search(r"```python\n(.*?)```", GUIDE.read_text(), re.S)[1]
    shown = re.search(r"```text\n(.*?)```", GUIDE.read_text(), re.S)[1]
    env = {**os.environ, "HOME": str(tmp_path)}
    path = tmp_path / "program.py"  # the package reads the source of ops from a file
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == shown


def test_ops_of_every_kind_leave_canonical_calls(client):
    @weave.op
    def fails():
        raise ValueError("no luck")

    @weave.op(accumulator=lambda state, value: [*(state or []), value])
    def counts():
        yield from range(3)

    @weave.op
    async def waits(x):
        return double(x)

    with pytest.raises(ValueError):
        fails()
    assert list(counts()) == [0, 1, 2]
    with weave.attributes({"tenant": "t1"}), weave.thread("thread-1"):
        assert asyncio.run(waits(1.5)) == 3.0
    client.flush()
    text = canonical("/calls/stream_query").text
    assert "weave:///" not in text and "wb_" not in text
    calls = {call["summary"]["hone"]["trace_name"]: call for call in map(json.loads, text.splitlines())}
    assert calls["fails"]["summary"]["hone"]["status"] == "error"
    assert calls["counts"]["output"] == [0, 1, 2]
    assert calls["double"]["parent_id"] == calls["waits"]["id"]
    assert calls["waits"]["attributes"]["tenant"] == "t1"
    assert calls["waits"]["thread_id"] == "thread-1"
    assert calls["waits"]["op_name"].startswith("hone:///local/weave-py/op/waits:")
    assert '"x":1.5' in text and '"output":3.0' in text


def test_objects_come_back_equal(client):
    import pandas

    ref = weave.publish({"weights": [1, 2.5], "note": "é", "wb_run_id": "free"}, name="settings")
    assert weave.ref(ref.uri()).get() == {"weights": [1, 2.5], "note": "é", "wb_run_id": "free"}
    frame = pandas.DataFrame({"q": ["a", "b"], "n": [1.5, 2.0]})
    dataset = weave.Dataset.from_pandas(frame)
    dataset.name = "frame"
    weave.publish(dataset)
    client.flush()  # what is published is sent in the background
    assert weave.ref("frame").get().to_pandas().to_dict() == frame.to_dict()
    prompt = weave.MessagesPrompt([{"role": "user", "content": "Say {what}"}])
    weave.publish(prompt, name="prompt")
    client.flush()
    assert weave.ref("prompt").get().format(what="hi") == [{"role": "user", "content": "Say hi"}]
    client.flush()
    versions = canonical("/objs/query", filter={"object_ids": ["settings"]}).json()["objs"]
    assert [version["digest"] for version in versions] == [ref.digest]


def test_feedback_scores_and_annotations(client):
    _, call = double.call(2)
    spec = weave.publish(weave.AnnotationSpec(name="tone", field_schema={"type": "string"}), "tone")
    client.flush()  # an annotation needs its spec
    note = call.feedback.add_note("good")
    call.feedback.add("wandb.annotation.tone", {"value": "kind"}, annotation_ref=spec.uri())

    class Length(weave.Scorer):
        @weave.op
        def score(self, output) -> dict:
            return {"length": 1}

    asyncio.run(call.apply_scorer(Length()))
    client.flush()
    call.feedback.purge(note)
    client.flush()
    stored = canonical("/feedback/query").json()["result"]
    assert {one["feedback_type"] for one in stored} == {"hone.annotation.tone", "hone.runnable.Length"}
    assert {one["trace_ref"] for one in stored} == {f"hone:///local/weave-py/call/{call.id}"}


def until_done(path: str) -> dict:
    for _ in range(240):
        job = httpx.get(URL + path, auth=("api", KEY)).json()
        if job["status"] not in ("queued", "running"):
            return job
        time.sleep(0.25)
    raise TimeoutError(job)


def test_reports_count_what_scorers_of_the_sdk_found(client):
    class Brief(weave.Scorer):
        @weave.op
        def score(self, output) -> dict:
            return {"brief": output < 50, "length": {"digits": len(str(output))}}

    @weave.op
    def share(output) -> float:
        return output / 100

    _, calls = zip(*(double.call(x) for x in range(0, 50, 2)))
    scorer = Brief()
    for call in calls:
        asyncio.run(call.apply_scorer(scorer))
        asyncio.run(call.apply_scorer(share))
    client.flush()
    for call in calls:
        body = {"trace_ref": f"hone:///{PROJECT}/call/{call.id}", "feedback_type": "human.brief", "payload": {"value": call.output < 40}}
        canonical("/feedback/create", **body)
    stored = {one["feedback_type"]: one["runnable_ref"] for one in canonical("/feedback/query").json()["result"]}
    truth = {"feedback_type": "human.brief"}
    named = {"scorer": stored["hone.runnable.Brief"], "criterion": "brief", "truth": truth}
    report = canonical("/evaluation/reports", **named).json()
    # 13 of 25 are below 50, and people say 10: the judge is corrected by them.
    assert (report["calls"], report["labels"], report["judge_only"]) == (25, 25, False)
    assert report["estimate"] == pytest.approx(0.4)
    assert len(report["disagreements"]) == 3
    digits = canonical("/evaluation/reports", scorer=named["scorer"], criterion="length.digits").json()
    assert digits["estimate"] == pytest.approx(sum(len(str(call.output)) for call in calls) / 25)
    whole = canonical("/evaluation/reports", scorer=stored["hone.runnable.share"], criterion="output").json()
    assert whole["estimate"] == pytest.approx(sum(call.output for call in calls) / 2500)


def test_a_run_of_the_server_is_read_as_one_of_the_sdk(client):
    rows = [{"question": f"repeat: {word}", "expected": word} for word in ("cat", "dog")]
    weave.publish(weave.Dataset(name="words", rows=rows))
    client.flush()
    definition = {"kind": "check", "check": {"check": "contains", "reference": "inputs.expected"}}
    body = {"name": "right", "definition": definition}
    assert httpx.post(f"{URL}/v2/{PROJECT}/scorers", json=body, auth=("api", KEY)).status_code == 200
    candidates = [{"model": "hone-tiny", "parameters": {"temperature": 0}}]
    job = canonical("/evaluation/runs", dataset="words", scorers=["right"], candidates=candidates).json()
    job = until_done(f"/evaluation/runs/{job['id']}")
    assert (job["status"], job["problems"]) == ("done", [])
    run_id = job["candidates"][0]["evaluation_run_id"]
    run = client.get_call(run_id)
    assert run.output["right"]["passed"] == {"true_count": 2, "true_fraction": 1}
    assert run.output["model_latency"]["mean"] > 0
    assert run.inputs["self"].name == "words-evaluation"
    predictions = list(run.children())
    assert {one.inputs["expected"]: one.output for one in predictions} == {"cat": "cat", "dog": "dog"}
    assert all(one.summary["weave"]["status"] == "success" for one in predictions)
    for prediction in predictions:
        [score] = prediction.children()
        assert score.output["passed"] is True
    assert run_id in [call.id for call in client.get_calls(filter={"op_names": ["Evaluation.evaluate"]})]
    evaluation = weave.ref(job["evaluation"].replace("hone:///", "weave:///")).get()
    assert isinstance(evaluation, weave.Evaluation)
    assert [scorer.name for scorer in evaluation.scorers] == ["right"]
    assert [row["expected"] for row in evaluation.dataset.rows] == ["cat", "dog"]
    assert "words-evaluation" in [one.name for one in client.get_evaluations()]


def test_evaluation_logger_and_costs(client):
    log = weave.EvaluationLogger(name="logged", model="m", dataset="d")
    prediction = log.log_prediction(inputs={"q": "2+2"}, output="4")
    prediction.log_score("right", True)
    prediction.finish()
    log.log_summary({"mean": 1.0})
    client.flush()
    client.add_cost(llm_id="m", prompt_token_cost=0.01, completion_token_cost=0.02)
    [price] = client.query_costs(llm_ids=["m"])
    assert (price.llm_id, price.prompt_token_cost) == ("m", 0.01)
    client.purge_costs([price.id])
    assert client.query_costs(llm_ids=["m"]) == []


def results(run: str, **fields) -> dict:
    body = {"evaluation_run_ids": [run], **fields}
    answer = httpx.post(f"{URL}/v2/{PROJECT}/eval_results/query", json=body, auth=("api", KEY))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_row_of_an_evaluation_whose_model_raised_has_its_exception(client):
    @weave.op
    def doubtful(x: int) -> int:
        if x == 2:
            raise ValueError("no luck")
        return x * 2

    @weave.op
    def positive(output) -> bool:
        return output is not None and output > 0

    dataset = weave.Dataset(name="numbers", rows=[{"x": x} for x in range(1, 4)])
    evaluation = weave.Evaluation(name="doubts", dataset=dataset, scorers=[positive])
    asyncio.run(evaluation.evaluate(doubtful))
    client.flush()
    [*_, run] = [
        call
        for call in map(json.loads, canonical("/calls/stream_query").text.splitlines())
        if "/op/Evaluation.evaluate:" in call["op_name"] and "/doubts:" in call["inputs"]["self"]
    ]
    found = results(run["id"])
    assert found["summary"] == [
        {"evaluation_run_id": run["id"], "dataset_rows": 3, "predicted": 2, "failed": 1, "missing": 0}
    ]
    [failed] = results(run["id"], filter={"statuses": ["failed", "missing"]})["rows"]
    [trial] = failed["evaluations"][0]["trials"]
    assert json.loads(trial["exception"])["message"] == "no luck"
    assert failed["inputs"].startswith("hone:///local/weave-py/object/numbers:")


def test_a_row_of_an_evaluation_logger_whose_call_raised_has_its_exception(client):
    @weave.op
    def asks(q: str) -> str:
        raise TimeoutError("no answer within 30 s")

    log = weave.EvaluationLogger(name="unlucky", model="m", dataset="d")
    with pytest.raises(TimeoutError):
        with log.log_prediction(inputs={"q": "lost"}) as prediction:
            prediction.output = asks("lost")
    with log.log_prediction(inputs={"q": "found"}) as prediction:
        prediction.output = "4"
        with pytest.raises(RuntimeError):
            with prediction.log_score("judge"):
                raise RuntimeError("the judge is down")
    log.fail(RuntimeError("stopped"))
    client.flush()
    calls = [json.loads(line) for line in canonical("/calls/stream_query").text.splitlines()]
    [*_, run] = [call for call in calls if "/op/Evaluation.evaluate:" in call["op_name"] and call["exception"]]
    found = results(run["id"])
    trials = {row["inputs"]["q"]: row["evaluations"][0]["trials"][0] for row in found["rows"]}
    assert json.loads(trials["lost"]["exception"])["message"] == "no answer within 30 s"
    assert trials["found"]["exception"] is None
    assert json.loads(trials["found"]["score_exceptions"]["judge"])["message"] == "the judge is down"
    assert found["summary"] == [
        {"evaluation_run_id": run["id"], "dataset_rows": None, "predicted": 1, "failed": 1, "missing": None}
    ]


def test_completions_come_from_the_gateway(client):
    question = {"role": "user", "content": "What is the opposite of hot?"}
    req = {"project_id": PROJECT, "inputs": {"model": "hone-tiny", "messages": [question], "temperature": 0}}
    whole = client.server.completions_create(req=req)
    answer = whole.response["choices"][0]["message"]["content"]
    assert answer
    call = canonical("/call/read", id=whole.weave_call_id).json()["call"]
    assert call["output"]["choices"][0]["message"]["content"] == answer
    chunks = list(client.server.completions_create_stream(req=req))
    assert len(chunks) > 2
