"""Names of figures, as `figures.fixture.ts` has them."""


def interval(name, estimate, low, high):
    return {f"{name}_estimate": estimate, f"{name}_low": low, f"{name}_high": high}
