"""Figures of a table by other libraries, by the names that `figures.fixture.ts` gives to ours."""

import math

import numpy as np
import pandas as pd
import statsmodels.api as sm
import truescore
from irrCAC.raw import CAC
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import optimize, stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from comparison_oracles import comparison
from figures import interval
from run_oracles import runs

FLOOR = 0.02
PSEUDO_COUNT = 0.25
# Of verdicts; continuous ones have no kappa.
MAX_CATEGORIES = 10
# Less than half an interval of any table.
NEAR = 1e-6


def figures_of(table):
    arrays = {name: np.asarray(table[name]) for name in ("human", "judge", "others", "baseline", "candidate")}
    figures = {
        **distributions(table),
        **means(table, **{name: arrays[name] for name in ("human", "judge", "others")}),
        **agreement(table, arrays["human"], arrays["judge"]),
        **(rates(table, arrays["human"], arrays["judge"], arrays["others"]) if table["isRate"] else {}),
        **comparison(table, arrays["baseline"], arrays["candidate"]),
        **labelling(table, arrays["human"], arrays["judge"], arrays["others"]),
        **runs(table),
    }
    return {name: plain(value) for name, value in figures.items()}


def plain(value):
    return None if value is None or not math.isfinite(value) else float(value)


def distributions(table):
    share, degrees = table["share"], table["degrees"]
    t = stats.t.ppf(share, degrees)
    return {
        "normal_quantile": stats.norm.ppf(share),
        "normal_cdf": stats.norm.cdf(t),
        "t_quantile": t,
        "t_cdf": stats.t.cdf(1.5 * t + 0.1, degrees),
        "binomial_cdf": stats.binom.cdf(table["successes"], table["trials"], share),
    }


def means(table, human, judge, others):
    alpha = 1 - table["level"]
    return {
        **ppi(table, human, judge, others),
        **weighted(table, human, judge, others),
        **labels_only("labels", truescore.gold_only_estimate(human, alpha=alpha)),
        **judge_only(table, others),
    }


def ppi(table, human, judge, others):
    labels = len(human)
    theirs = truescore.ppi_estimate(np.concatenate([judge, others]), human, np.arange(labels))
    estimate = ppi_mean_pointestimate(human, judge, others).item()
    # Two libraries that differ only in their intervals.
    assert math.isclose(theirs.point, estimate, rel_tol=1e-11, abs_tol=1e-11)
    low, high = ppi_mean_ci(human, judge, others, alpha=0.05)
    spread = np.std(human - theirs.lambda_ * judge) ** 2 / labels + theirs.lambda_**2 * np.var(others) / len(others)
    assert math.isclose((high - low).item() / 2, stats.norm.ppf(0.975) * math.sqrt(spread), rel_tol=1e-9, abs_tol=1e-12)
    figures = {"ppi_lambda": theirs.lambda_, "ppi_standard_error": theirs.standard_error}
    if table["isRate"]:
        estimate = min(1, max(0, estimate))
        ends = score_ends(table, human, judge, others, theirs.lambda_, theirs.point)
        return {**figures, **interval("ppi", estimate, *ends)}
    half = stats.t.ppf(1 - (1 - table["level"]) / 2, labels - 1) * theirs.standard_error
    return {**figures, **interval("ppi", estimate, estimate - half, estimate + half)}


def score_ends(table, human, judge, others, weight, estimate):
    """The rates that lie exactly z standard errors of their own from the estimate, found by bisection."""
    z = stats.norm.ppf(1 - (1 - table["level"]) / 2)
    verdicts = [judge[human == truth] for truth in (0, 1)]
    passes = [(of.sum() + PSEUDO_COUNT) / (len(of) + 2 * PSEUDO_COUNT) for of in verdicts]

    def excess(rate):
        within = sum(p * s * (1 - s) for p, s in zip((1 - rate, rate), passes, strict=True))
        between = rate * (1 - rate) * (1 - weight * (passes[1] - passes[0])) ** 2
        variance = (between + weight**2 * within) / (len(human) - 1) + weight**2 * np.var(others, ddof=1) / len(others)
        return (estimate - rate) ** 2 - z**2 * variance

    point = min(1, max(0, estimate))
    low = 0.0 if excess(0.0) <= 0 else optimize.brentq(excess, 0, point - NEAR, xtol=1e-15)
    high = 1.0 if excess(1.0) <= 0 else optimize.brentq(excess, point + NEAR, 1, xtol=1e-15)
    return low, high


def weighted(table, human, judge, others):
    """Terms of all calls, one by one."""
    weights = 1 / np.asarray(table["chances"])
    calls = len(human) + len(others)
    drawn = np.concatenate([weights, np.zeros(len(others))])
    labels = np.concatenate([human, np.zeros(len(others))])
    verdicts = np.concatenate([judge, others])
    human_mean, judge_mean = (np.average(values, weights=weights) for values in (human, judge))
    label_part = (labels - human_mean) * drawn
    judge_part = (verdicts - judge_mean) * (1 - drawn)
    covariance = np.cov(label_part, judge_part)
    weight = float(np.clip(-covariance[0, 1] / covariance[1, 1], 0, 1)) if covariance[1, 1] > 0 else 0.0
    intercept = human_mean - weight * judge_mean
    terms = intercept + weight * verdicts + (labels - intercept - weight * verdicts) * drawn
    estimate = ppi_mean_pointestimate(human, judge, verdicts, lam=weight, w=weights).item()
    assert math.isclose(estimate, terms.mean(), rel_tol=1e-10, abs_tol=1e-10)
    error = np.std(terms, ddof=1) / math.sqrt(calls)
    degrees = max(1, weights.sum() ** 2 / (weights**2).sum() - 1)
    half = stats.t.ppf(1 - (1 - table["level"]) / 2, degrees) * error
    ends = np.array([estimate, estimate - half, estimate + half])
    return {
        "weighted_lambda": weight,
        "weighted_standard_error": error,
        **interval("weighted", *(np.clip(ends, 0, 1) if table["isRate"] else ends)),
    }


def labels_only(name, estimate):
    return interval(name, estimate.point, estimate.low, estimate.high)


def judge_only(table, others):
    if table["isRate"]:
        return labels_only("judge", truescore.judge_only_estimate(others, alpha=1 - table["level"]))
    mean, error = others.mean(), stats.sem(others)
    half = stats.t.ppf(1 - (1 - table["level"]) / 2, len(others) - 1) * error
    return interval("judge", mean, mean - half, mean + half)


def agreement(table, human, judge):
    level = table["level"]
    return {
        **kappa(level, human, judge),
        **ac1(level, human, judge),
        **pearson(level, human, judge),
        **partial(level, human, judge, np.asarray(table["controls"])),
    }


def kappa(level, human, judge):
    categories = np.unique(np.concatenate([human, judge]))
    if not 2 <= len(categories) <= MAX_CATEGORIES:
        return interval("kappa", None, None, None)
    counts = np.array([[((human == h) & (judge == j)).sum() for j in categories] for h in categories])
    theirs = cohens_kappa(counts)
    assert math.isclose(theirs.kappa, truescore.cohen_kappa(human, judge), rel_tol=1e-11, abs_tol=1e-11)
    # Where one side knows one verdict the variance is 0, or by rounding below.
    half = stats.norm.ppf(1 - (1 - level) / 2) * np.nan_to_num(theirs.std_kappa)
    return interval("kappa", theirs.kappa, max(-1, theirs.kappa - half), min(1, theirs.kappa + half))


def ac1(level, human, judge):
    if not 2 <= len(np.unique(np.concatenate([human, judge]))) <= MAX_CATEGORIES:
        return interval("ac1", None, None, None)
    # irrCAC rounds to `digits`, and has intervals of certain levels only.
    coefficients = CAC(pd.DataFrame({"human": human, "judge": judge}), digits=15)
    estimate = coefficients.gwet()["est"]["coefficient_value"]
    assert math.isclose(estimate, truescore.gwet_ac1(human, judge), rel_tol=1e-11, abs_tol=1e-11)
    half = stats.t.ppf(1 - (1 - level) / 2, len(human) - 1) * coefficients.se
    return interval("ac1", estimate, max(-1, estimate - half), min(1, estimate + half))


def pearson(level, human, judge):
    if np.ptp(human) == 0 or np.ptp(judge) == 0:
        return interval("pearson", None, None, None)
    theirs = stats.pearsonr(human, judge)
    return interval("pearson", theirs.statistic, *theirs.confidence_interval(level))


def partial(level, human, judge, controls):
    if np.ptp(human) == 0 or np.ptp(judge) == 0:
        return interval("partial", None, None, None)
    design = sm.add_constant(controls.T)
    residuals = [sm.OLS(values, design).fit().resid for values in (human, judge)]
    r = stats.pearsonr(*residuals).statistic
    half = stats.norm.ppf(1 - (1 - level) / 2) / math.sqrt(len(human) - len(controls) - 3)
    # SciPy's interval of a correlation is of no other degrees of freedom. A correlation of 1 lies at infinity.
    with np.errstate(divide="ignore"):
        z = np.arctanh(r)
    return interval("partial", r, np.tanh(z - half), np.tanh(z + half))


def rates(table, human, judge, others):
    alpha = 1 - table["level"]

    def wilson(name, successes, trials):
        if trials == 0:
            return interval(name, None, None, None)
        low, high = proportion_confint(successes, trials, alpha=alpha, method="wilson")
        return interval(name, successes / trials, low, high)

    agrees = human == judge
    return {
        **wilson("true_positive_rate", (agrees & (human == 1)).sum(), (human == 1).sum()),
        **wilson("true_negative_rate", (agrees & (human == 0)).sum(), (human == 0).sum()),
        **wilson("accuracy", agrees.sum(), len(human)),
        **rogan_gladen(alpha, human, judge, others),
    }


def rogan_gladen(alpha, human, judge, others):
    try:
        verdicts = np.concatenate([judge, others])
        theirs = truescore.rogan_gladen_estimate(verdicts, human, np.arange(len(human)), alpha=alpha)
    except ValueError:
        return interval("rogan_gladen", None, None, None)
    return labels_only("rogan_gladen", theirs)


def labelling(table, human, judge, others):
    return {**plan(table, human, judge, len(others)), **chances(table)}


def plan(table, human, judge, others):
    """The first count of labels that is enough, of all counts."""
    calls = len(human) + others
    if table["isRate"]:
        cells = np.array([[((human == h) & (judge == j)).sum() + PSEUDO_COUNT for j in (0, 1)] for h in (0, 1)])
        cells = cells / cells.sum()
        passed, judged = cells[1].sum(), cells[:, 1].sum()
        covariance = np.array([[passed * (1 - passed), cells[1, 1] - passed * judged], [0, judged * (1 - judged)]])
    else:
        covariance = np.cov(human, judge)
    labels = np.arange(2, calls + 1)
    t = stats.t.ppf(1 - (1 - table["level"]) / 2, labels - 1)
    alone = t * np.sqrt(covariance[0, 0] / labels) <= table["halfWidth"]
    drawn, rest = labels[:-2], calls - labels[:-2]
    weight = covariance[0, 1] / covariance[1, 1] / (1 + drawn / rest) if covariance[1, 1] > 0 else 0 * drawn
    weight = np.clip(weight, 0, 1)
    rectified = covariance[0, 0] - 2 * weight * covariance[0, 1] + weight**2 * covariance[1, 1]
    together = t[:-2] * np.sqrt(rectified / drawn + weight**2 * covariance[1, 1] / rest) <= table["halfWidth"]

    def first(is_enough):
        return int(is_enough.argmax()) + 2 if is_enough.any() else None

    return {"plan_with_judge": first(together), "plan_without_judge": first(alone)}


def chances(table):
    uncertainties = np.asarray(table["uncertainties"])

    def drawn(scale):
        return np.clip(scale * uncertainties, FLOOR, 1)

    top = 1 / uncertainties.min()
    scale = optimize.brentq(lambda at: drawn(at).sum() - table["labels"], 0, top, xtol=1e-14, rtol=1e-14)
    return {f"chance_{at}": chance for at, chance in enumerate(drawn(scale))}
