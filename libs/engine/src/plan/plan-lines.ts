import { createHash } from 'node:crypto';

import type { PlannedSequence, PlanRow } from './plan.js';

/**
 * A row as one line of a stored plan: JSON without blanks, numbers with the fewest digits that read back as the same
 * double, NaN as null.
 */
export function toPlanLine({ row, sequences, numTrajectories, learningRate, staleness }: PlanRow): string {
  return JSON.stringify({
    row,
    num_trajectories: numTrajectories,
    learning_rate: learningRate,
    staleness,
    sequences: sequences.map(({ ids, mask, old, adv, weight }) => ({ ids, mask, old, adv, weight })),
  });
}

interface PlanLine {
  row: number;
  num_trajectories: number;
  learning_rate: number;
  staleness: number | null;
  sequences: (Omit<PlannedSequence, 'old'> & { old: (number | null)[] | null })[];
}

/** The inverse of {@link toPlanLine}; the line is one that it wrote. */
export function readPlanLine(line: string): PlanRow {
  const { row, num_trajectories, learning_rate, staleness, sequences } = JSON.parse(line) as PlanLine;
  return {
    row,
    numTrajectories: num_trajectories,
    learningRate: learning_rate,
    staleness,
    sequences: sequences.map(({ old, ...rest }) => ({ ...rest, old: old && old.map((value) => value ?? NaN) })),
  };
}

/** SHA-256, hex, of the plan's lines, each with its line break. */
export function planDigest(rows: readonly PlanRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${toPlanLine(row)}\n`);
  return hash.digest('hex');
}
