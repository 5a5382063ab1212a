import { createHash } from 'node:crypto';

import type { Plan, PlannedSequence, PlanRow } from './plan.js';
import type { RewardStats } from './rewards.js';

/**
 * A row as one line of a stored plan: JSON without blanks, numbers with the fewest digits that read back as the same
 * double, NaN as null. A repetition names the row whose sequences it has, so that a plan of many epochs stays small.
 */
export function toPlanLine({
  row,
  repeats,
  sequences,
  numTrajectories,
  learningRate,
  staleness,
  rewards,
}: PlanRow): string {
  const settings = {
    row,
    num_trajectories: numTrajectories,
    learning_rate: learningRate,
    staleness,
    ...(rewards && { rewards }),
  };
  return JSON.stringify(
    repeats === undefined
      ? {
          ...settings,
          sequences: sequences.map(({ ids, mask, old, adv, weight, role }) => ({ ids, mask, old, adv, weight, role })),
        }
      : { ...settings, repeats },
  );
}

interface PlanLine {
  row: number;
  num_trajectories: number;
  learning_rate: number;
  staleness: number | null;
  rewards?: RewardStats;
  repeats?: number;
  sequences?: (Omit<PlannedSequence, 'old'> & { old: (number | null)[] | null })[];
}

/**
 * The inverse of {@link toPlanLine}; the line is one that it wrote.
 *
 * @param before the rows of all lines before it
 */
export function readPlanLine(line: string, before: readonly PlanRow[] = []): PlanRow {
  const parsed = JSON.parse(line) as PlanLine;
  const { row, num_trajectories, learning_rate, staleness, rewards, repeats } = parsed;
  const settings = {
    row,
    numTrajectories: num_trajectories,
    learningRate: learning_rate,
    staleness,
    ...(rewards && { rewards }),
  };
  if (repeats !== undefined) return { ...settings, repeats, sequences: (before[repeats] as PlanRow).sequences };
  const sequences = parsed.sequences as NonNullable<PlanLine['sequences']>;
  return {
    ...settings,
    sequences: sequences.map(({ old, ...rest }) => ({ ...rest, old: old && old.map((value) => value ?? NaN) })),
  };
}

const VALIDATION_START = '{"validation":';

/** A validation sequence as one line of a stored plan; these lines come after all rows. */
export const toValidationLine = ({ ids, mask, weight, role }: PlannedSequence): string =>
  JSON.stringify({ validation: role === undefined ? { ids, mask } : { ids, mask, weight, role } });

/** The inverse of {@link toValidationLine}; null: the line is a row. */
export function readValidationLine(line: string): PlannedSequence | null {
  if (!line.startsWith(VALIDATION_START)) return null;
  const { validation } = JSON.parse(line) as {
    validation: Pick<PlannedSequence, 'ids' | 'mask' | 'role'> & Partial<Pick<PlannedSequence, 'weight'>>;
  };
  return { weight: 1, ...validation, old: null, adv: null };
}

/** All lines of a stored plan, without line breaks. */
export function* planLines({ rows, validation }: Pick<Plan, 'rows' | 'validation'>): Generator<string> {
  for (const row of rows) yield toPlanLine(row);
  for (const sequence of validation) yield toValidationLine(sequence);
}

/** SHA-256, hex, of the plan's lines, each with its line break. */
export function planDigest(rows: readonly PlanRow[], validation: readonly PlannedSequence[] = []): string {
  const hash = createHash('sha256');
  for (const line of planLines({ rows, validation })) hash.update(`${line}\n`);
  return hash.digest('hex');
}
