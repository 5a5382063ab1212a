import { createHash } from 'node:crypto';

import { grouped } from '../grouped.js';
import type { Skipped, SkipReason } from '../skipped.js';
import type { Policy } from './sample.js';
import type { Slot } from './spool.js';

/** What is kept in memory of a candidate. */
export interface Entry {
  readonly id: string;
  readonly slot: Slot;
  readonly prompt: string;
  readonly group: string;
  readonly policy: Policy | null;
  readonly tokens: number;
  readonly reward: number | null;
}

/** A line of a file: one example, or the trajectories of one group. */
export type Line = readonly Entry[];

/** Whether a job can learn from a line: the trajectories of a group must differ in reward. */
export const isTrainable = (line: Line): boolean =>
  line.some(({ reward }) => reward === null || reward !== line[0]?.reward);

/** A file of the data. */
export interface Split {
  readonly name: string;
  readonly lines: readonly Line[];
}

export interface ArrangeSettings {
  readonly kind: 'sft' | 'rl';
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

function linesOf(members: readonly Entry[], { kind, minGroupSize }: ArrangeSettings, skipped: Skipped): Line[] {
  if (kind === 'sft') return members.map((entry) => [entry]);
  return [...grouped(members, ({ group }) => group).values()].filter((line) => {
    const isLarge = line.length >= minGroupSize;
    if (!isLarge) for (const { id } of line) skipped.add('small_group', id);
    return isLarge;
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
