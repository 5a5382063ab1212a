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
/** Answers at either end of the order by reward that are looked at: those of the largest gaps are among them. */
const ENDS = 4 * MAX_PAIRS;

/** Answers to one prompt with the same text. */
interface Text {
  /** The oldest of them. */
  readonly entry: Entry;
  /** Mean over those that have a reward; null: none has. */
  readonly reward: number | null;
}

/**
 * Pairs of a better and a worse answer to one prompt: what people corrected, what they said in comparing two answers, and
 * answers whose rewards differ. Answers with the same text are one answer, with the mean of their rewards; each two
 * texts make one pair.
 */
export function pairsOf(members: readonly Entry[], settings: PairSettings, skipped: Skipped): Line[] {
  const lines = [...grouped(members, ({ prompt }) => prompt).values()].flatMap((answers) =>
    pairsOfPrompt(answers, settings),
  );
  const used = new Set(lines.flat().map(({ id }) => id));
  for (const { id } of members) if (!used.has(id)) skipped.add('no_preference', id);
  return lines;
}

function pairsOfPrompt(answers: readonly Entry[], settings: PairSettings): Line[] {
  const texts = [...grouped(answers, ({ answer }) => answer).values()].map(toText);
  const pairs = new Map<string, Line>();
  const add = (chosen: Entry, rejected: Entry): void => {
    const key = keyOf(chosen.answer, rejected.answer);
    if (chosen.answer !== rejected.answer && !pairs.has(key)) pairs.set(key, [chosen, rejected]);
  };
  for (const entry of answers) {
    if (entry.correction) add({ ...entry, slot: entry.correction.slot, answer: entry.correction.digest }, entry);
  }
  for (const [chosen, rejected] of statedPairs(answers)) add(chosen, rejected);
  const limit = pairs.size + (settings.pairing === 'all' ? MAX_PAIRS : 1);
  for (const [chosen, rejected] of pairsByReward(texts, settings.minGap)) {
    if (pairs.size < limit) add(chosen, rejected);
  }
  return [...pairs.values()];
}

function toText(entries: readonly Entry[]): Text {
  const rewards = entries.flatMap(({ reward }) => reward ?? []);
  const reward = rewards.length === 0 ? null : rewards.reduce((sum, value) => sum + value, 0) / rewards.length;
  return { entry: entries[0] as Entry, reward };
}

const keyOf = (one: string, other: string): string => [one, other].sort().join('\0');

/** Pairs that people compared, the better answer first: what most of them said; where they are divided, none. */
function statedPairs(answers: readonly Entry[]): [Entry, Entry][] {
  const byId = new Map(answers.map((entry) => [entry.id, entry]));
  const votes = new Map<string, { readonly pair: [Entry, Entry]; balance: number }>();
  for (const chosen of answers) {
    for (const id of chosen.betterThan) {
      const rejected = byId.get(id);
      if (!rejected) continue;
      const key = keyOf(chosen.answer, rejected.answer);
      const vote = votes.get(key) ?? { pair: [chosen, rejected], balance: 0 };
      vote.balance += vote.pair[0].answer === chosen.answer ? 1 : -1;
      votes.set(key, vote);
    }
  }
  return [...votes.values()].flatMap(({ pair: [one, other], balance }): [Entry, Entry][] =>
    balance === 0 ? [] : [balance > 0 ? [one, other] : [other, one]],
  );
}

/** Pairs of texts whose rewards differ, the largest gaps first; of equal gaps those of older calls. */
function pairsByReward(texts: readonly Text[], minGap: number): [Entry, Entry][] {
  const judged = texts
    .flatMap(({ entry, reward }) => (reward === null ? [] : [{ entry, reward }]))
    .sort((a, b) => b.reward - a.reward);
  const [best, worst] = [judged.slice(0, ENDS), judged.slice(-ENDS)];
  return best
    .flatMap((chosen) => worst.map((rejected) => ({ chosen, rejected, gap: chosen.reward - rejected.reward })))
    .filter(({ gap }) => gap > 0 && gap >= minGap)
    .sort((a, b) => b.gap - a.gap)
    .map(({ chosen, rejected }) => [chosen.entry, rejected.entry]);
}
