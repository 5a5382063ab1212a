"""Comparisons of paired runs by MLflow, SciPy, statsmodels and truescore."""

import os
from unittest.mock import patch

os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"

import numpy as np
import truescore
from mlflow.genai.evaluation.comparison import paired_comparison, significance_tests
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from figures import interval


def comparison(table, baseline, candidate):
    differences = candidate - baseline
    higher, lower = int((differences > 0).sum()), int((differences < 0).sum())
    return {
        **mlflow(table, baseline, candidate),
        "mcnemar_p": mcnemar([[0, higher], [lower, 0]], exact=True).pvalue if higher + lower else 1.0,
        "wilcoxon_exact_p": wilcoxon(differences, "exact"),
        "wilcoxon_asymptotic_p": wilcoxon(differences, "asymptotic"),
        **non_inferiority(table, differences),
        **{f"holm_{at}": p for at, p in enumerate(truescore.holm(table["pValues"]))},
    }


def mlflow(table, baseline, candidate):
    """The comparison of MLflow, with as many resamples as the table has."""
    replicates = len(table["replicates"])
    with patch.object(significance_tests, "_BOOTSTRAP_RESAMPLES", replicates):
        theirs = paired_comparison._compare_paired_values(
            "metric",
            baseline,
            candidate,
            value_type="binary" if table["isRate"] else "numeric",
            confidence_level=table["level"],
        )
    # From 25 differing pairs on MLflow approximates what is exact here.
    p_value = theirs.p_value
    if theirs.method == "mcnemar_chi2":
        p_value = stats.binomtest(int((candidate > baseline).sum()), theirs.n_nonzero).pvalue
    return {
        **interval("bca", theirs.diff, theirs.ci_low, theirs.ci_high),
        "difference": theirs.diff,
        "comparison_p": p_value,
        "comparison_t_p": theirs.t_test_p_value,
        "comparison_effect": theirs.effect_size,
        "comparison_ties": theirs.ties,
    }


def wilcoxon(differences, method):
    if not differences.any():
        return 1.0
    if method == "exact":
        # SciPy drops zeros itself only where it approximates.
        differences = differences[differences != 0]
    return stats.wilcoxon(differences, method=method).pvalue


def non_inferiority(table, differences):
    sign = 1 if table["higherIsBetter"] else -1
    gains = sign * differences
    if np.ptp(gains) == 0:
        p_value = 0.0 if gains[0] > -table["margin"] else 1.0
        return {"non_inferiority_p": p_value, "non_inferiority_bound": differences[0]}
    theirs = stats.ttest_1samp(gains, -table["margin"], alternative="greater")
    return {
        "non_inferiority_p": theirs.pvalue,
        "non_inferiority_bound": sign * theirs.confidence_interval(table["level"]).low,
    }
