import { countDropped } from './count-dropped.js';
import { scheduleFactor } from './learning-rate-schedule.js';
import { planDigest } from './plan-lines.js';
import {
  EmptyDataError,
  LearningRateListLengthError,
  NoTrainableTokensError,
  TooManyStepsError,
} from './plan.errors.js';
import {
  trainedTokensOf,
  type DropReason,
  type Plan,
  type PlanCounts,
  type PlannedSequence,
  type PlanRow,
} from './plan.js';
import type { SftConfig } from './sft-config.js';
import { renderLines, type Lines, type RenderedLine } from './sft-lines.js';
import type { SftPlanningContext } from './sft-sequence.js';
import { holdOut, validationSequences } from './validation-split.js';

export type { SftPlanningContext };

/** As many as a file may have lines: each has an event. */
const MAX_STEPS = 1_000_000;
/** Where the lines of a validation file are, in errors. */
const VALIDATION = ['validation'];

/**
 * Plans fine-tuning: passes over the lines in their order, one row for each batch. Batches are cut before over-long
 * lines are dropped, so that those leave the other batches as they are; a batch may end up empty. Lines that are held
 * out for validation are not trained.
 *
 * @param lines of a JSON Lines file, without their line breaks; blank ones are skipped
 * @param validationLines the same of the validation data; null: it has no file of its own
 * @throws BadLineError, TemplateNotPrefixError which lines
 * @throws EmptyDataError no line that is not blank
 * @throws TooManyStepsError more than a million rows
 * @throws ValidationDataEmptyError nothing is left to evaluate
 * @throws NoTrainableTokensError every line is too long or has nothing to train
 * @throws LearningRateListLengthError a list of learning rates that is not as long as the list of rows
 */
export async function planSft(
  lines: Lines,
  config: SftConfig,
  context: SftPlanningContext,
  validationLines: Lines | null = null,
): Promise<Plan> {
  const rendered = await renderLines(lines, config.assistant_turns, context);
  if (rendered.length === 0) throw new EmptyDataError();
  const { trained, heldOut } = holdOut(rendered, config);
  const apart = validationLines && (await renderLines(validationLines, config.assistant_turns, context, VALIDATION));
  const evaluated = apart ?? (config.validation_fraction === null ? null : heldOut);
  const validation = evaluated ? validationSequences(evaluated) : [];
  const batches = Array.from({ length: Math.ceil(trained.length / config.batch_size) }, (_, row) =>
    trained.slice(row * config.batch_size, (row + 1) * config.batch_size).flatMap(toTrain),
  );
  const steps = batches.length * config.n_epochs;
  if (steps > MAX_STEPS) throw new TooManyStepsError(steps, MAX_STEPS);
  const rows = learningRates(config, steps).map((rate, row) => toRow(row, batches, rate));
  const reasons = trained.map(reasonToDrop);
  if (!reasons.includes(null)) throw noTrainableLine(trained, reasons, context.contextLength);
  const counts = countSft(rows, [...reasons, ...heldOut.map(() => 'validation' as const)]);
  return { rows, validation, digest: planDigest(rows, validation), counts, trajectories: [] };
}

/** One for each of so many gradient steps. */
function learningRates(config: SftConfig, steps: number): readonly number[] {
  const { learning_rate: given } = config;
  if (typeof given === 'number') {
    return Array.from({ length: steps }, (_, index) => given * scheduleFactor(config, index, steps));
  }
  if (given.length !== steps) throw new LearningRateListLengthError(given.length, steps);
  return given;
}

function reasonToDrop({ sequence }: RenderedLine): 'too_long' | 'no_tokens' | null {
  if (sequence === null) return 'too_long';
  return sequence.mask.includes(1) ? null : 'no_tokens';
}

const toTrain = (line: RenderedLine): PlannedSequence[] =>
  line.sequence !== null && reasonToDrop(line) === null ? [line.sequence] : [];

/** A job that trains nothing would succeed with the weights it started from. */
function noTrainableLine(
  lines: readonly RenderedLine[],
  reasons: readonly (DropReason | null)[],
  contextLength: number,
): NoTrainableTokensError {
  const tooLong = reasons.filter((reason) => reason === 'too_long').length;
  const parts = [
    ...(tooLong > 0 ? [`${tooLong} have more than ${contextLength} tokens, the context of the model`] : []),
    ...(tooLong < lines.length ? [`${lines.length - tooLong} have no assistant turn to train`] : []),
  ];
  const hint =
    tooLong > 0 ? 'Shorten the conversations, or cut them into several lines.' : 'Give an assistant turn the weight 1.';
  return new NoTrainableTokensError(
    `No line has a token to train: ${parts.join('; ')}`,
    hint,
    lines.map(({ number }) => ({ loc: ['line', number], detail: '' })),
  );
}

/** @param batches of one epoch; each later epoch repeats them in the same order */
function toRow(row: number, batches: readonly PlannedSequence[][], learningRate: number): PlanRow {
  const batch = row % batches.length;
  const sequences = batches[batch] as PlannedSequence[];
  const repetition = row === batch ? {} : { repeats: batch };
  return { row, ...repetition, sequences, numTrajectories: sequences.length, learningRate, staleness: null };
}

function countSft(rows: readonly PlanRow[], reasons: readonly (DropReason | null)[]): PlanCounts {
  const sequences = rows.flatMap((row) => row.sequences);
  return {
    groupsSubmitted: 0,
    groupsTrainable: 0,
    trajectories: reasons.length,
    trajectoriesTrained: reasons.filter((reason) => reason === null).length,
    dropped: countDropped(reasons),
    inputTokens: sequences.reduce((sum, { ids }) => sum + ids.length, 0),
    trainableTokens: sequences.reduce((sum, sequence) => sum + trainedTokensOf(sequence), 0),
  };
}
