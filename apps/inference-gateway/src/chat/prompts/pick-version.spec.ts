import { pickVersion } from './pick-version.js';

const OLD = 'o'.repeat(43);
const NEW = 'n'.repeat(43);
const split = (old: number, young: number) => [
  { digest: OLD, weight: old },
  { digest: NEW, weight: young },
];
const THREADS = Array.from({ length: 10_000 }, (_, n) => `thread-${n}`);
const pick = (versions: ReturnType<typeof split>, thread: string | null, random?: () => number) =>
  pickVersion(versions, thread, random)?.digest;
const share = (digests: readonly (string | undefined)[]) =>
  digests.filter((digest) => digest === NEW).length / digests.length;

/** Random numbers that are the same in each run (mulberry32). */
function seeded(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('a version for a thread', () => {
  it('is the one that weighted rendezvous hashing says', () => {
    const picked = THREADS.slice(0, 24).map((thread) => (pick(split(50, 50), thread) === NEW ? 'n' : 'o'));
    expect(picked.join('')).toBe('oonoooononnnnnnoononnooo');
  });

  it('is the same whatever the order of the versions', () => {
    const there = THREADS.map((thread) => pick(split(70, 30), thread));
    expect(THREADS.map((thread) => pick(split(70, 30).reverse(), thread))).toEqual(there);
  });

  it.each([
    [50, 50, 0.5],
    [90, 10, 0.1],
    [9, 1, 0.1],
    [0.999, 0.001, 0.001],
    [1, 0, 0],
    [0, 1e-300, 1],
  ])('is chosen in proportion to the weights %d and %d', (old, young, expected) => {
    // Three standard deviations of 10,000 draws are 0.015 at most; these draws never change.
    expect(Math.abs(share(THREADS.map((thread) => pick(split(old, young), thread))) - expected)).toBeLessThan(0.01);
  });

  it('changes only to the version that gets more, and no more threads than the weights say', () => {
    const before = THREADS.map((thread) => pick(split(90, 10), thread));
    const after = THREADS.map((thread) => pick(split(80, 20), thread));
    const moved = THREADS.flatMap((_, at) => (before[at] === after[at] ? [] : [after[at]]));
    expect(new Set(moved)).toEqual(new Set([NEW]));
    expect(moved.length / THREADS.length).toBeCloseTo(share(after) - share(before), 10);
  });

  it('stays when another version joins, unless the thread goes to that one', () => {
    const third = 't'.repeat(43);
    for (const thread of THREADS.slice(0, 1_000)) {
      const after = pick([...split(90, 10), { digest: third, weight: 50 }], thread);
      if (after !== third) expect(after).toBe(pick(split(90, 10), thread));
    }
  });
});

describe('a version for a request without a thread', () => {
  it('is chosen by chance, in proportion to the weights', () => {
    const random = seeded();
    const picked = Array.from({ length: 10_000 }, () => pick(split(90, 10), null, random));
    expect(Math.abs(share(picked) - 0.1)).toBeLessThan(0.01);
  });

  it('is there for every number that chance may give', () => {
    expect(pick(split(90, 10), null, () => 0)).toBe(OLD);
    expect(pick(split(0, 10), null, () => 1 - Number.EPSILON / 2)).toBe(NEW);
  });
});

it('needs no choice where there is one version, and finds none among none', () => {
  expect(pickVersion([{ digest: OLD, weight: 0 }], 'x')?.digest).toBe(OLD);
  expect(pickVersion([], 'x')).toBeUndefined();
});
