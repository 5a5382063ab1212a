import { countDropped } from './count-dropped.js';
import { scheduleFactor } from './learning-rate-schedule.js';
import {
  EmptyDataError,
  LearningRateListLengthError,
  NoTrainableTokensError,
  TooManyStepsError,
} from './plan.errors.js';
import {
  DROPPED_LINE_HINTS,
  type DroppedLine,
  type DropReason,
  type LineDropReason,
  type Plan,
  type PlanCounts,
  type PlannedSequence,
  type PlanRow,
  trainedTokensOf,
} from './plan.js';
import { planDigest } from './plan-lines.js';
import type { SftConfig } from './sft-config.js';
import { type Lines, type RenderedLine, renderLines } from './sft-lines.js';
import type { SftPlanningContext } from './sft-sequence.js';
import { holdOut, validationSequences } from './validation-split.js';

export type { SftPlanningContext };

/** The limit of the lines of a file: each step has an event. */
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
 * @throws BadLineError, TemplateNotPrefixError, ToolCallsLostError which lines
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
  const reasons = trained.map(({ dropped }) => dropped);
  if (!reasons.includes(null)) throw noTrainableLine(trained, context.contextLength);
  const counts = countSft(rows, [...reasons, ...heldOut.map(() => 'validation' as const)]);
  return {
    rows,
    validation,
    digest: planDigest(rows, validation),
    counts,
    trajectories: [],
    droppedLines: droppedOf(trained),
  };
}

/** The learning rate of each gradient step; a list must have one for each. */
function learningRates(config: SftConfig, steps: number): readonly number[] {
  const { learning_rate: given } = config;
  if (typeof given === 'number') {
    return Array.from({ length: steps }, (_, index) => given * scheduleFactor(config, index, steps));
  }
  if (given.length !== steps) throw new LearningRateListLengthError(given.length, steps);
  return given;
}

const toTrain = ({ sequence, dropped }: RenderedLine): PlannedSequence[] =>
  sequence !== null && dropped === null ? [sequence] : [];

const droppedOf = (lines: readonly RenderedLine[]): DroppedLine[] =>
  lines.flatMap(({ number, dropped: reason }) => (reason === null ? [] : [{ number, reason }]));

/** The error of a job that would train nothing: without it the job would succeed with the weights it started from. */
function noTrainableLine(lines: readonly RenderedLine[], contextLength: number): NoTrainableTokensError {
  const sentences: Record<LineDropReason, string> = {
    too_long: `have more than ${contextLength} tokens, the context of the model`,
    no_tokens: 'have no assistant turn to train',
    assistant_first: 'begin with the assistant, which the chat template refuses',
  };
  const reasons = (Object.keys(sentences) as LineDropReason[]).filter((one) =>
    lines.some(({ dropped }) => dropped === one),
  );
  const parts = reasons.map((one) => `${lines.filter(({ dropped }) => dropped === one).length} ${sentences[one]}`);
  return new NoTrainableTokensError(
    `No line has a token to train: ${parts.join('; ')}`,
    DROPPED_LINE_HINTS[reasons[0] ?? 'no_tokens'],
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
    rewards: null,
  };
}
