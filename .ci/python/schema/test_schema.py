"""Every operation of a running Hone answers as its OpenAPI document says, whatever it is asked."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

HERE = Path(__file__).parent
URL = os.environ["HONE_URL"]
IS_LONG = os.environ.get("HONE_TEST_LONG") == "1"
#: Paths of each service, as the proxy routes them.
SERVICES = {
    "accounts": "^/account/",
    "evaluation": "^/evaluation/",
    "gateway and training": "^/v1/",
    "trace": "^/(?!account/|evaluation/|v1/)",
}
#: Requests of an operation in each of the phases that draw them.
EXAMPLES = 100 if IS_LONG else 2
#: Requests that break the document are many: everyday runs leave them to the services' own specs.
MODE = "all" if IS_LONG else "positive"
PHASES = "examples,coverage,fuzzing,stateful"


def run(paths: str, report: Path) -> tuple[subprocess.CompletedProcess, dict]:
    command = [Path(sys.executable).with_name("st"), "--config-file", HERE / "schemathesis.toml", "run", f"{URL}/openapi.json"]
    options = {
        "--include-path-regex": paths,
        "--phases": PHASES,
        "--max-examples": EXAMPLES,
        "--mode": MODE,
        "--seed": 1,
        "--warnings": "off",
        "--report": "json",
        "--report-json-path": report,
    }
    flat = [str(part) for option in options.items() for part in option]
    env = {**os.environ, "PYTHONPATH": str(HERE), "SCHEMA_HOOKS": "hooks"}
    # Whatever it writes beside the report goes with the folder of the test.
    done = subprocess.run([*command, "--no-color", *flat], capture_output=True, text=True, env=env, cwd=report.parent)
    return done, json.loads(report.read_text()) if report.exists() else {}


@pytest.mark.parametrize("service", SERVICES)
def test_answers_as_documented(service, tmp_path):
    done, report = run(SERVICES[service], tmp_path / "report.json")
    # It names each operation that failed, with a curl.
    assert done.returncode == 0, done.stdout + done.stderr
    assert report["failures"] == []
    assert report["errors"] == []
    assert report["operations"]["tested"] == report["operations"]["selected"] > 0
    assert report["operations"]["skipped"] == 0
    assert {name: phase["status"] for name, phase in report["phases"].items()} == dict.fromkeys(PHASES.split(","), "success")


def test_the_services_have_all_operations(tmp_path):
    assert sum(len(paths_of(pattern)) for pattern in SERVICES.values()) == len(paths_of(""))


def paths_of(pattern: str) -> list[str]:
    paths = requests.get(f"{URL}/openapi.json", timeout=60).json()["paths"]
    return [path for path in paths if re.search(pattern, path)]
