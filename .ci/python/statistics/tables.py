"""Random tables: judged calls with labels, and paired runs. The same seed gives the same tables."""

import numpy as np

from resamples import replicates_of

# Differences and sums of multiples of 1/64 are exact, so that means tie in one library where they tie in the other.
GRID = 64


def make_tables(seed, count, resamples):
    rng = np.random.default_rng(seed)
    return [
        {**make_table(rng, at, resamples), **two_runs(np.random.default_rng([seed, at]), resamples)}
        for at in range(count)
    ]


def make_table(rng, at, resamples):
    kind = ("rate", "rating", "continuous")[at % 3]
    table = {
        **judged_calls(rng, kind),
        **paired_rows(rng, kind, resamples),
        "level": float(rng.choice([0.8, 0.9, 0.95, 0.99])),
        "isRate": kind == "rate",
        "pValues": [float(p) for p in rng.beta(0.5, 3, rng.integers(1, 6))],
        "share": float(rng.uniform(1e-4, 1 - 1e-4)),
        "degrees": float(np.exp(rng.uniform(np.log(0.8), np.log(1e5)))),
    }
    table["trials"] = int(rng.integers(1, 2_000))
    table["successes"] = int(rng.binomial(table["trials"], table["share"]))
    uncertainties = rng.uniform(0, 1, rng.integers(3, 8)) ** 3
    table["uncertainties"] = uncertainties.tolist()
    table["labels"] = float(rng.uniform(0.05, 0.9) * len(uncertainties))
    return table


def judged_calls(rng, kind):
    labels, others = int(rng.integers(20, 61)), int(rng.integers(10, 121))
    quality = rng.uniform(0.2, 0.8) + 0.25 * rng.standard_normal(labels + others)
    noise = rng.choice([0.05, 0.3, 1.0]) * rng.standard_normal(labels + others)
    truth, verdict = values(quality, kind), values(quality + noise + rng.uniform(-0.2, 0.2), kind)
    controls = quality[:labels, None] + rng.standard_normal((labels, rng.integers(1, 4)))
    return {
        "human": truth[:labels].tolist(),
        "judge": verdict[:labels].tolist(),
        "others": verdict[labels:].tolist(),
        "chances": rng.uniform(0.02, 1, labels).round(3).tolist(),
        "controls": controls.round(2).T.tolist(),
        "halfWidth": float(rng.uniform(0.1, 0.5) * max(np.std(truth), 0.1)),
    }


def paired_rows(rng, kind, resamples):
    pairs = int(rng.integers(6, 81))
    quality = rng.uniform(0.2, 0.8) + 0.3 * rng.standard_normal(pairs)
    spread = rng.choice([0.02, 0.2, 0.6])
    baseline = values(quality, kind)
    candidate = values(quality + rng.uniform(-0.2, 0.3) + spread * rng.standard_normal(pairs), kind)
    return {
        "baseline": baseline.tolist(),
        "candidate": candidate.tolist(),
        "replicates": replicates_of(candidate - baseline, resamples).tolist(),
        "margin": float(rng.uniform(0, 0.3)),
        "higherIsBetter": bool(rng.integers(2)),
    }


def two_runs(rng, resamples):
    """Metrics of two runs by row, of which either may lack some; the fewest rows are too few to be compared."""
    rows = int(rng.integers(4, 61))
    quality = rng.uniform(0.2, 0.8) + 0.3 * rng.standard_normal(rows)
    metrics = []
    for kind in ("rate", "rating", "continuous"):
        gain = rng.uniform(-0.2, 0.3) + rng.choice([0, 0.02, 0.3]) * rng.standard_normal(rows)
        runs = np.array([values(quality, kind), values(quality + rng.choice([0, 1], p=[0.1, 0.9]) * gain, kind)])
        missing = rng.random(runs.shape) < rng.choice([0, 0.1, 0.4])
        baseline, candidate = runs[:, ~missing.any(axis=0)]
        metrics.append(
            {
                "values": [[None if is_missing else float(value) for value, is_missing in zip(*run)] for run in zip(runs, missing)],
                "replicates": replicates_of(candidate - baseline, resamples).tolist() if len(baseline) > 0 else [],
                "higherIsBetter": bool(rng.integers(2)),
            }
        )
    return {"metrics": metrics}


def values(quality, kind):
    if kind == "rate":
        return (quality > 0.5).astype(float)
    if kind == "rating":
        return np.clip(np.round(1 + 4 * quality), 1, 5)
    return np.round(quality * GRID) / GRID
