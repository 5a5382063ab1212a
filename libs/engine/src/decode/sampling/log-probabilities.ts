import { nextAtLeast } from './likeliest.js';

/** Reported log-probabilities are never below this; JSON has no -Infinity. */
const LOWEST = -9999;

export interface TokenLogProbability {
  readonly id: number;
  readonly logProbability: number;
}

export function reported(logProbabilities: Float32Array, id: number): number {
  return Math.max(LOWEST, logProbabilities[id] ?? LOWEST);
}

/** Rank: 1 + how many tokens are likelier. */
export function rankOf(logProbabilities: Float32Array, id: number): number {
  const own = logProbabilities[id] as number;
  let rank = 1;
  for (let other = 0; other < logProbabilities.length; other += 1) if (logProbabilities[other]! > own) rank += 1;
  return rank;
}

/** The `count` likeliest tokens, likeliest first, of equal ones the lower id; -1: the whole vocabulary. */
export function topTokens(logProbabilities: Float32Array, count: number): TokenLogProbability[] {
  const length = count === -1 ? logProbabilities.length : Math.min(count, logProbabilities.length);
  const ids = length > 64 ? sortedIds(logProbabilities, length) : selectedIds(logProbabilities, length);
  return ids.map((id) => ({ id, logProbability: reported(logProbabilities, id) }));
}

function sortedIds(values: Float32Array, length: number): number[] {
  const ids = Array.from(values, (_, id) => id);
  return ids.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, length);
}

/** For small counts: one comparison with the last of the list rejects most tokens. */
function selectedIds(values: Float32Array, length: number): number[] {
  const ids: number[] = [];
  if (length === 0) return ids;
  /** Score of the last entry of a full list. */
  let least = -Infinity;
  for (let id = nextAtLeast(values, 0, least); id < values.length; id = nextAtLeast(values, id + 1, least)) {
    const value = values[id] as number;
    if (ids.length === length) {
      if (value === least) continue;
      ids.pop();
    }
    let at = ids.length;
    while (at > 0 && values[ids[at - 1]!]! < value) at -= 1;
    ids.splice(at, 0, id);
    if (ids.length === length) least = values[ids[length - 1]!]!;
  }
  return ids;
}
