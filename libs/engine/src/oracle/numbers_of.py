"""Numbers of a name, in exact integer arithmetic, so that a spec makes the same ones (numbers.fixture.ts)."""


def numbers(name, count):
    """mulberry32, seeded with the FNV-1a hash of the name: numbers in [-1, 1)."""
    state = 0x811C9DC5
    for byte in name.encode():
        state = ((state ^ byte) * 0x01000193) & 0xFFFFFFFF
    out = []
    for _ in range(count):
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF
        out.append((mixed ^ (mixed >> 14)) / 2**31 - 1)
    return out
