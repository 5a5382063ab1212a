import { getPriority, setPriority } from 'node:os';

/** Niceness of background work: it yields to whatever answers requests. */
const NICE = 10;

/**
 * Gives this process a lower priority than serving processes on the same cores. One that was started with a lower
 * priority still, by `nice` or in a container, keeps it: without privileges the system refuses to raise it.
 */
export function lowerPriority(): void {
  if (getPriority() < NICE) setPriority(NICE);
}
