import { countDropped } from './count-dropped.js';
import { planDigest } from './plan-lines.js';
import { EmptyDataError, LearningRateListLengthError } from './plan.errors.js';
import {
  trainedTokensOf,
  type DropReason,
  type Plan,
  type PlanCounts,
  type PlannedSequence,
  type PlanRow,
} from './plan.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { SftConfig } from './sft-config.js';
import { renderLines, type Lines } from './sft-lines.js';

export interface SftPlanningContext {
  readonly tokenizer: PlanningTokenizer;
  /** Most tokens that the engine takes in one sequence. */
  readonly contextLength: number;
}

/**
 * Plans fine-tuning: one pass over the lines in their order, one row for each batch. Batches are cut before over-long
 * lines are dropped, so that those leave the other batches as they are; a batch may end up empty.
 *
 * @param lines of a JSON Lines file, without their line breaks; blank ones are skipped
 * @throws BadLineError, TemplateNotPrefixError which lines
 * @throws EmptyDataError no line that is not blank
 * @throws LearningRateListLengthError a list of learning rates that is not as long as the list of batches
 */
export async function planSft(
  lines: Lines,
  config: SftConfig,
  { tokenizer, contextLength }: SftPlanningContext,
): Promise<Plan> {
  const sequences = await renderLines(lines, config.assistant_turns, tokenizer);
  if (sequences.length === 0) throw new EmptyDataError();
  const batches = Array.from({ length: Math.ceil(sequences.length / config.batch_size) }, (_, row) =>
    sequences.slice(row * config.batch_size, (row + 1) * config.batch_size),
  );
  const rates = learningRates(config.learning_rate, batches.length);
  const isKept = (sequence: PlannedSequence) => reasonToDrop(sequence, contextLength) === null;
  const rows = batches.map((batch, row) => toRow(row, batch.filter(isKept), rates[row] as number));
  const reasons = sequences.map((sequence) => reasonToDrop(sequence, contextLength));
  return { rows, digest: planDigest(rows), counts: countSft(rows, reasons), trajectories: [] };
}

function learningRates(given: SftConfig['learning_rate'], numBatches: number): readonly number[] {
  if (typeof given === 'number') return Array.from({ length: numBatches }, () => given);
  if (given.length !== numBatches) throw new LearningRateListLengthError(given.length, numBatches);
  return given;
}

function reasonToDrop(sequence: PlannedSequence, contextLength: number): DropReason | null {
  if (sequence.ids.length > contextLength) return 'too_long';
  return sequence.mask.includes(1) ? null : 'no_tokens';
}

const toRow = (row: number, sequences: PlannedSequence[], learningRate: number): PlanRow => ({
  row,
  sequences,
  numTrajectories: sequences.length,
  learningRate,
  staleness: null,
});

function countSft(rows: readonly PlanRow[], reasons: readonly (DropReason | null)[]): PlanCounts {
  const sequences = rows.flatMap((row) => row.sequences);
  return {
    groupsSubmitted: 0,
    groupsTrainable: 0,
    trajectories: reasons.length,
    trajectoriesTrained: sequences.length,
    dropped: countDropped(reasons),
    inputTokens: sequences.reduce((sum, { ids }) => sum + ids.length, 0),
    trainableTokens: sequences.reduce((sum, sequence) => sum + trainedTokensOf(sequence), 0),
  };
}
