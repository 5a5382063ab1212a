import { createHash } from 'node:crypto';

import type { TrainingDataKind } from '@hone/contracts';

import { grouped } from '../grouped.js';
import type { Skipped, SkipReason } from '../skipped.js';
import type { Entry, Line } from './entry.js';
import { type PairSettings, pairsOf } from './pairs.js';

/** Whether a job can learn from a line: the trajectories of a group must differ in reward. */
export const isTrainable = (line: Line): boolean =>
  line.some(({ reward }) => reward === null || reward !== line[0]?.reward);

/** A file of the data. */
export interface Split {
  readonly name: string;
  readonly lines: readonly Line[];
}

export interface ArrangeSettings {
  readonly kind: TrainingDataKind;
  readonly pairing: PairSettings;
  /** Name -> share; they add up to 1. */
  readonly shares: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly minGroupSize: number;
  /** `rl`: the model whose samples are taken, at its latest step; null: there is none. */
  readonly policy: { readonly modelId: string; readonly latestStep: number; readonly maxStaleness: number } | null;
  /** Models that are not known to the caller. */
  readonly unknownModels: ReadonlySet<string>;
}

/** The files of the data, by name; those without a line are left out. Entries and lines keep their order. */
export function arrange(entries: readonly Entry[], settings: ArrangeSettings, skipped: Skipped): Split[] {
  const taken = entries.filter((entry) => {
    const reason = settings.kind === 'rl' ? policyReason(entry, settings) : null;
    if (reason) skipped.add(reason, entry.id);
    return reason === null;
  });
  const splitOf = splitter(settings);
  return [...grouped(taken, ({ prompt }) => splitOf(prompt))]
    .map(([name, members]) => ({ name, lines: linesOf(members, settings, skipped) }))
    .filter(({ lines }) => lines.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function linesOf(members: readonly Entry[], settings: ArrangeSettings, skipped: Skipped): Line[] {
  switch (settings.kind) {
    case 'sft':
    case 'thumbs':
      return members.map((entry) => [entry]);
    case 'preference':
      return pairsOf(members, settings.pairing, skipped);
    case 'rl':
      return groupsOf(members, settings.minGroupSize, skipped);
    case 'distill':
      return bestOf(groupsOf(members, 1, skipped), 'duplicate', skipped);
    case 'best_of':
      return bestOf(groupsOf(members, settings.minGroupSize, skipped), 'not_best', skipped);
  }
}

function groupsOf(members: readonly Entry[], minSize: number, skipped: Skipped): Line[] {
  return [...grouped(members, ({ group }) => group).values()].filter((line) => {
    const isLarge = line.length >= minSize;
    if (!isLarge) for (const { id } of line) skipped.add('small_group', id);
    return isLarge;
  });
}

/** Of each group the corrected answer, otherwise that with the highest reward; of equals the oldest. */
function bestOf(groups: readonly Line[], reason: SkipReason, skipped: Skipped): Line[] {
  const worth = ({ isCorrected, reward }: Entry): number => (isCorrected ? Infinity : (reward ?? -Infinity));
  return groups.map((group) => {
    const best = group.reduce((kept, entry) => (worth(entry) > worth(kept) ? entry : kept));
    for (const entry of group) if (entry !== best) skipped.add(reason, entry.id);
    return [best];
  });
}

function policyReason({ policy }: Entry, settings: ArrangeSettings): SkipReason | null {
  if (!policy || settings.unknownModels.has(policy.modelId)) return 'unknown_model';
  if (policy.modelId !== settings.policy?.modelId) return 'other_model';
  return settings.policy.latestStep - policy.step > settings.policy.maxStaleness ? 'stale_policy' : null;
}

const HASH_BYTES = 6;

/** Which split a prompt belongs to: the same at every time, on every machine. */
function splitter({ shares, seed }: ArrangeSettings): (prompt: string) => string {
  const names = Object.keys(shares).sort();
  return (prompt) => {
    const hash = createHash('sha256').update(`${seed}\0${prompt}`).digest();
    let left = hash.readUIntBE(0, HASH_BYTES) / 2 ** (8 * HASH_BYTES);
    for (const name of names) {
      left -= shares[name] as number;
      if (left < 0) return name;
    }
    return names.at(-1) as string; // shares add up to 1, but for rounding
  };
}
