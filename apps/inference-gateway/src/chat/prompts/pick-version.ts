import { createHash } from 'node:crypto';

/** Bytes of a digest that become a number between 0 and 1. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

/** A version that a label may mean. */
export interface WeightedVersion {
  readonly digest: string;
  /** Its share of the requests, relative to the sum; at least 0. */
  readonly weight: number;
}

/**
 * Picks one of the versions that a label is split over: for a thread always the same one, otherwise by chance.
 *
 * By weighted rendezvous hashing (Jason Resch, "New Hashing Algorithms for Data Storage", SNIA SDC 2015): the version with
 * the largest `-weight / ln(u)` wins, where `u` is a hash of thread and version between 0 and 1. Each wins in proportion to
 * its weight, and when a weight grows, threads change to that version alone.
 *
 * @param thread null: the request belongs to none
 * @param random a number from 0 to below 1
 * @returns undefined: there are no versions
 */
export function pickVersion<Version extends WeightedVersion>(
  versions: readonly Version[],
  thread: string | null,
  random: () => number = Math.random,
): Version | undefined {
  let [picked] = versions;
  if (versions.length < 2) return picked;
  let best = -Infinity;
  for (const version of versions) {
    const score = -version.weight / Math.log(thread === null ? random() : hashOf(thread, version.digest));
    if (score > best) [picked, best] = [version, score];
  }
  return picked;
}

/** A number between 0 and 1, both excluded. */
function hashOf(thread: string, digest: string): number {
  const hash = createHash('sha256').update(`${digest}\n${thread}`).digest();
  return (hash.readUIntBE(0, HASH_BYTES) + 0.5) / HASHES;
}
