"""The figures of `@hone/statistics` are those of other libraries, to 1e-9, on a thousand random tables."""

import json
import math
import subprocess
from pathlib import Path

import pytest

from oracles import figures_of
from tables import make_tables

HERE = Path(__file__).parent
FIXTURE = HERE / "../../../libs/statistics/src/oracle/tables.json"
COUNT = 1_000
RESAMPLES = 200


@pytest.fixture(scope="module")
def tables():
    return make_tables(seed=2_027, count=COUNT, resamples=RESAMPLES)


@pytest.fixture(scope="module")
def ours(tables):
    return figures_by_hone(tables)


@pytest.fixture(scope="module")
def theirs(tables):
    return [figures_of(table) for table in tables]


def figures_by_hone(tables):
    output = subprocess.run(
        ["node", HERE / "figures.mjs"], input=json.dumps(tables), capture_output=True, text=True, check=True
    )
    return json.loads(output.stdout)


def is_equal(a, b):
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def test_has_the_same_figures(ours, theirs):
    assert len(ours) == COUNT
    for at, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        assert sorted(mine) == sorted(other), f"table {at}"


def test_agrees_on_every_figure(ours, theirs):
    differing = [
        f"table {at}, {name}: {mine[name]}, not {figure}"
        for at, (mine, other) in enumerate(zip(ours, theirs, strict=True))
        for name, figure in other.items()
        if not is_equal(mine[name], figure)
    ]
    assert differing == []


def test_meets_each_form_of_a_figure(tables, theirs):
    """Undefined figures, weights at both ends, either test: the tables are not all of one form."""
    assert any(figures["kappa_estimate"] is None for figures in theirs)
    assert any(figures.get("rogan_gladen_estimate", 0) is None for figures in theirs)
    assert any(figures["ppi_lambda"] == 0 for figures in theirs)
    assert any(figures["plan_with_judge"] is None for figures in theirs)
    assert any(figures["comparison_effect"] is None for figures in theirs)
    assert {figures["run_0_test"] for figures in theirs} == {None, 1}
    assert {figures["run_1_test"] for figures in theirs} >= {None, 2}
    assert any(None in metric["values"][0] for table in tables for metric in table["metrics"])
    assert any(sum(a != b for a, b in zip(t["baseline"], t["candidate"], strict=True)) > 50 for t in tables)


def test_fixture_of_the_unit_specs_is_current():
    """`write_tables.py` makes it."""
    for case in json.loads(FIXTURE.read_text()):
        theirs = figures_of(case["table"])
        assert sorted(theirs) == sorted(case["figures"])
        assert all(is_equal(figure, case["figures"][name]) for name, figure in theirs.items())
