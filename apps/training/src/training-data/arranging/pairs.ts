import type { Pairing } from '@hone/contracts';

import { grouped } from '../grouped.js';
import type { Skipped } from '../skipped.js';
import type { Entry, Line } from './entry.js';

/** Which answers to one prompt make pairs by their rewards. */
export interface PairSettings {
  readonly pairing: Pairing;
  /** Least gap between their rewards; equal rewards make no pair. */
  readonly minGap: number;
}

/** Pairs of one prompt by rewards, so that a prompt with many answers does not outweigh the others. */
const MAX_PAIRS = 4;

/**
 * Pairs of a better and a worse answer to one prompt: what people corrected, what they said in comparing two answers, and
 * answers whose rewards differ. Two answers make one pair, and answers with equal texts none.
 */
export function pairsOf(members: readonly Entry[], settings: PairSettings, skipped: Skipped): Line[] {
  const lines = [...grouped(members, ({ prompt }) => prompt).values()].flatMap((answers) => {
    const corrected = answers.flatMap((entry) =>
      entry.correction === null ? [] : [[{ ...entry, slot: entry.correction }, entry]],
    );
    return [...corrected, ...distinct([...statedPairs(answers), ...pairsByReward(answers, settings)])];
  });
  const used = new Set(lines.flat().map(({ id }) => id));
  for (const { id } of members) if (!used.has(id)) skipped.add('no_preference', id);
  return lines;
}

/** Pairs that people compared, the better answer first. */
function statedPairs(answers: readonly Entry[]): Line[] {
  const byId = new Map(answers.map((entry) => [entry.id, entry]));
  return answers.flatMap((chosen) =>
    chosen.betterThan.flatMap((id) => {
      const rejected = byId.get(id);
      return rejected ? [[chosen, rejected]] : [];
    }),
  );
}

function pairsByReward(answers: readonly Entry[], { pairing, minGap }: PairSettings): Line[] {
  const judged = answers.filter((entry) => entry.reward !== null);
  const gap = (chosen: Entry, rejected: Entry): number => (chosen.reward ?? 0) - (rejected.reward ?? 0);
  const pairs = judged
    .flatMap((chosen) => judged.map((rejected): [Entry, Entry] => [chosen, rejected]))
    .filter(([chosen, rejected]) => gap(chosen, rejected) > 0 && gap(chosen, rejected) >= minGap)
    .filter(([chosen, rejected]) => chosen.answer !== rejected.answer)
    // The sort keeps the order of calls among equal gaps.
    .sort(([a, b], [c, d]) => gap(c, d) - gap(a, b));
  return pairs.slice(0, pairing === 'all' ? MAX_PAIRS : 1);
}

/** Each two answers once: what was said first stands. */
function distinct(pairs: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return pairs.filter((pair) => {
    const [one, other] = pair.map(({ answer }) => answer).sort();
    const key = `${one}\0${other}`;
    const isNew = one !== other && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
