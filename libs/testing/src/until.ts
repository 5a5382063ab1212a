import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;
/** Generous: the machine may be busy. */
const LIMIT_MS = 60_000;

/**
 * Asks again and again until the answer is something: neither false, null nor undefined.
 *
 * @param what what is awaited, for the error
 * @returns the first such answer
 * @throws Error it did not come to be within `limitMs`; or what `ask` itself throws
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  what = 'what was asked for',
  limitMs = LIMIT_MS,
): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer as Exclude<NonNullable<T>, false>;
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs / 1_000} s: ${what}.`);
    await sleep(POLL_MS);
  }
}
