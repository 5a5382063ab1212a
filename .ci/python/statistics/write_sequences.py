"""Writes libs/statistics/src/oracle/sequences.json: confidence sequences by confseq 0.0.11, by the authors of the paper.

It is not among the requirements, as it builds against Boost; its sequences of means are Python alone. Unpack its source
distribution and run, with NumPy 1,

    PYTHONPATH=confseq-0.0.11/src python write_sequences.py <path of sequences.json>
"""

import json
import sys

import numpy as np
from confseq.betting import betting_cs

GRID = 5_000
STAKES = [0.125, 0.25, 0.5]
COUNTS = [1, 2, 5, 10, 25, 50, 100, 200]


def bets_of(share, risk):
    """Bets that lose a share of the capital at the worst value, which is `risk` away from the mean."""
    with np.errstate(divide="ignore"):
        return np.repeat(share / np.float64(risk), COUNTS[-1])


def sequence_of(values, alpha):
    return betting_cs(
        values,
        lambdas_fns_positive=[lambda x, m, s=s: bets_of(s, m) for s in STAKES],
        lambdas_fns_negative=[lambda x, m, s=s: bets_of(s, 1 - m) for s in STAKES],
        alpha=alpha,
        breaks=GRID,
        trunc_scale=1,
    )


def values_of(form, random):
    count = COUNTS[-1]
    if form == "rate":
        return random.integers(0, 2, count).astype(float)
    if form == "rare":
        return (random.random(count) < 0.05).astype(float)
    if form == "steps":
        return random.integers(0, 5, count) / 4
    if form == "constant":
        return np.ones(count)
    return random.random(count)


def main(path):
    random = np.random.default_rng(53)
    sequences = []
    for form in ["rate", "rare", "steps", "constant", "even"]:
        for level in [0.9, 0.95]:
            values = values_of(form, random)
            low, high = sequence_of(values, 1 - level)
            # What was left out at one of the looks stays left out.
            at = np.array(COUNTS) - 1
            looks = zip(COUNTS, np.maximum.accumulate(low[at]), np.minimum.accumulate(high[at]))
            sequences.append(
                {
                    "values": values.tolist(),
                    "level": level,
                    "grid": 1 / GRID,
                    "looks": [{"count": count, "low": float(l), "high": float(h)} for count, l, h in looks],
                }
            )
    with open(path, "w") as file:
        json.dump(sequences, file)
        file.write("\n")


main(sys.argv[1])
