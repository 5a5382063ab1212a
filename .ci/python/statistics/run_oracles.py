"""The whole comparison of two runs by MLflow, from rows with their feedback to the figures of each metric."""

import os
from unittest.mock import patch

os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"

import numpy as np
import truescore
from mlflow.entities.assessment import Feedback
from mlflow.genai.evaluation.comparison import comparison as mlflow_comparison
from mlflow.genai.evaluation.comparison import significance_tests
from mlflow.genai.evaluation.comparison.utils import _EvalRow
from scipy import stats

from figures import interval

METHODS = {"mcnemar_exact": 1, "mcnemar_chi2": 1, "wilcoxon_exact": 2, "wilcoxon_asymptotic": 3}
RUNS = ("baseline", "candidate")


def runs(table):
    metrics = table["metrics"]
    p_values, figures = {}, {}
    for at, (metric, theirs) in enumerate(zip(metrics, compared(table), strict=True)):
        p_values[at] = p_value(metric, theirs)
        figures |= {f"run_{at}_{name}": value for name, value in figures_of_metric(theirs, p_values[at]).items()}
    tested = {at: p for at, p in p_values.items() if p is not None}
    adjusted = dict(zip(tested, truescore.holm(list(tested.values())) if tested else [], strict=True))
    return figures | {f"run_{at}_adjusted_p": adjusted.get(at) for at in range(len(metrics))}


def compared(table):
    """MLflow's comparison, which reads rows of a server: here those of the table."""
    metrics = table["metrics"]
    rows = {run: eval_rows(metrics, at) for at, run in enumerate(RUNS)}
    replicates = max(len(metric["replicates"]) for metric in metrics)
    with (
        patch.object(mlflow_comparison, "_load_eval_rows", rows.__getitem__),
        patch.object(significance_tests, "_BOOTSTRAP_RESAMPLES", replicates),
    ):
        result = mlflow_comparison.compare_evaluations(
            "candidate",
            "baseline",
            greater_is_better={str(at): metric["higherIsBetter"] for at, metric in enumerate(metrics)},
            confidence_level=table["level"],
        )
    return [result.scorers.get(str(at)) for at in range(len(metrics))]


def eval_rows(metrics, run):
    values = [metric["values"][run] for metric in metrics]
    return [
        _EvalRow(
            trace_id=f"{run}-{row}",
            eval_request_id=str(row),
            inputs_hash=None,
            inputs_hash_unstable=False,
            feedbacks={
                str(at): [Feedback(name=str(at), value=value)] for at, value in enumerate(of_row) if value is not None
            },
        )
        for row, of_row in enumerate(zip(*values, strict=True))
    ]


def p_value(metric, theirs):
    if theirs is None or theirs.status != "ok":
        return None
    if theirs.method != "mcnemar_chi2":
        return theirs.p_value
    # From 25 differing pairs on MLflow approximates what is exact here.
    baseline, candidate = (np.array(run, dtype=float) for run in metric["values"])
    return stats.binomtest(int((candidate > baseline).sum()), theirs.n_nonzero).pvalue


def figures_of_metric(theirs, p):
    """Null where MLflow finds too few pairs."""
    is_compared = theirs is not None and theirs.status == "ok"
    names = {
        "test": METHODS[theirs.method] if is_compared else None,
        "p": p,
        "t_p": theirs.t_test_p_value if is_compared else None,
        "effect": theirs.effect_size if is_compared else None,
        "ties": theirs.ties if is_compared else None,
        "baseline_mean": theirs.baseline_mean if is_compared else None,
        "candidate_mean": theirs.candidate_mean if is_compared else None,
    }
    ends = (theirs.diff, theirs.ci_low, theirs.ci_high) if is_compared else (None, None, None)
    return {"pairs": theirs.n_paired if theirs else 0, **names, **interval("difference", *ends)}
