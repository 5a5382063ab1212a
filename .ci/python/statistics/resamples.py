"""The samples that SciPy's bootstrap draws from a seed, so that another implementation can be given the same ones."""

import numpy as np

SEED = 0


def replicates_of(differences, resamples):
    count = len(differences)
    drawn = np.random.default_rng(SEED).integers(0, count, (resamples, count))
    return differences[drawn].mean(axis=-1)
