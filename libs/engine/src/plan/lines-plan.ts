import { countDropped } from './count-dropped.js';
import {
  type DroppedLine,
  type DropReason,
  type LineDropReason,
  type PlanCounts,
  type PlannedSequence,
  type PlanRow,
  trainedTokensOf,
} from './plan.js';

/** Where the lines of a validation file are, in errors. */
export const VALIDATION = ['validation'];

/** A row of one epoch. */
interface Batch {
  readonly sequences: readonly PlannedSequence[];
  /** Lines with a sequence in it. */
  readonly lines: number;
}

/** The rows of all epochs. @param batches of one; each later epoch repeats them in the same order */
export const rowsOfEpochs = (batches: readonly Batch[], rates: readonly number[]): PlanRow[] =>
  rates.map((learningRate, row) => {
    const first = row % batches.length;
    const { sequences, lines: numTrajectories } = batches[first] as Batch;
    const repetition = row === first ? {} : { repeats: first };
    return { row, ...repetition, sequences, numTrajectories, learningRate, staleness: null };
  });

export const droppedOf = (
  lines: readonly { readonly number: number; readonly dropped: LineDropReason | null }[],
): DroppedLine[] => lines.flatMap(({ number, dropped: reason }) => (reason === null ? [] : [{ number, reason }]));

/** @param reasons of all lines; null: it is trained */
export function countLines(rows: readonly PlanRow[], reasons: readonly (DropReason | null)[]): PlanCounts {
  const sequences = rows.flatMap((row) => row.sequences);
  const trained = sequences.filter(({ role }) => role !== 'mismatched');
  return {
    groupsSubmitted: 0,
    groupsTrainable: 0,
    trajectories: reasons.length,
    trajectoriesTrained: reasons.filter((reason) => reason === null).length,
    dropped: countDropped(reasons),
    inputTokens: sequences.reduce((sum, { ids }) => sum + ids.length, 0),
    trainableTokens: trained.reduce((sum, sequence) => sum + trainedTokensOf(sequence), 0),
    rewards: null,
  };
}
