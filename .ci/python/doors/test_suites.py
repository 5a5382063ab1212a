"""Public suites that grade servers by the forms of OpenAI's and Anthropic's APIs, unmodified and pinned."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from conftest import KEY, URL

BASE_URL = f"{URL}/v1"
BIN = Path(__file__).parent / "node_modules/.bin"
COMPLY = Path(sys.executable).with_name("llm-comply")
# What Hone has not: tools run with the caller, and answers are given to those who wait for them.
MISSING = {"MCP tools", "background responses"}


def run(*command: object, home: Path) -> str:
    """What a suite prints. Its exit status grades the server; the tests read the report instead."""
    env = {**os.environ, "HOME": str(home)}
    ran = subprocess.run([*map(str, command)], env=env, capture_output=True, text=True, timeout=600)
    assert ran.stdout, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    ("form", "model", "tests"),
    [("open-responses", "gpt-5-tiny", 13), ("openai-chat", "gpt-5-tiny", 9), ("anthropic", "claude-opus-tiny", 9)],
)
def test_llm_comply_passes(form: str, model: str, tests: int, tmp_path: Path) -> None:
    options = ["--base-url", BASE_URL, "--api-key", KEY, "--model", model, "--format", form, "--json"]
    report = json.loads(run(COMPLY, *options, home=tmp_path))
    wrong = [one for one in report["results"] if one["status"] not in ("passed", "warning")]
    assert (wrong, len(report["results"])) == ([], tests)


def test_compatcanary_passes(tmp_path: Path) -> None:
    options = ["--base-url", BASE_URL, "--model", "seeing-tiny", "--api-key", KEY, "--format", "json"]
    report = json.loads(run(BIN / "compatcanary", "scan", *options, home=tmp_path))
    assert report["score"] == 100, report


def test_llmprobe_finds_nothing_wrong(tmp_path: Path) -> None:
    # Headers of rate limits come where there are limits.
    limits = {"requests_per_minute": 1_000_000, "tokens_per_minute": 1_000_000_000}
    bearer = {"authorization": f"Bearer {KEY}"}
    url = f"{BASE_URL}/usage/limits?project=local/default"
    httpx.put(url, json=limits, headers=bearer).raise_for_status()
    options = ["-k", KEY, "-m", "seeing-tiny", "--reasoning", "default", "--no-bench", "--no-save", "--json"]
    report = json.loads(run(BIN / "llmprobe", URL, *options, home=tmp_path))
    tiers = {tier["tier"]: tier for tier in report["coverage"]["byTier"]}
    assert [(tiers[name]["supported"], tiers[name]["missing"]) for name in ("core", "extended")] == [(9, []), (15, [])]
    assert set(tiers["frontier"]["missing"]) <= MISSING
    wrong = [one for one in report["conformance"]["results"] if one["outcome"] == "fail"]
    assert wrong == []
