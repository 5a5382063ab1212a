import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;
/** Generous: the machine may be busy, and a fifth as fast as another. */
const LIMIT_MS = 180_000;

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

/**
 * Asks for a number again and again until it is large enough, however long that takes while it grows.
 *
 * @param what what is counted, for the error
 * @throws Error it did not grow for `stallMs`; or what `ask` itself throws
 */
export async function untilReached(
  ask: () => Promise<number>,
  least: number,
  what: string,
  stallMs = LIMIT_MS,
): Promise<void> {
  let most = -Infinity;
  while (most < least)
    most = await until(
      async () => {
        const now = await ask();
        return now > most && now;
      },
      `more ${what} than ${most}, of ${least}`,
      stallMs,
    );
}
