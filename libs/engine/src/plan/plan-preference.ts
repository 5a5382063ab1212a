import { type LineResult, type Lines, readEach } from './each-line.js';
import { countLines, droppedOf, rowsOfEpochs, VALIDATION } from './lines-plan.js';
import { noTrainableLine } from './no-trainable-line.js';
import { EmptyDataError, type PlanLoc, ValidationDataEmptyError } from './plan.errors.js';
import type { Plan, PlannedSequence } from './plan.js';
import { planDigest } from './plan-lines.js';
import { type AnswerWeights, answerWeights } from './preference-balance.js';
import type { PreferenceConfig } from './preference-config.js';
import { readPreferenceLine } from './preference-line.js';
import { type RenderedPreference, renderPreference, toMismatched } from './preference-sequences.js';
import type { SftPlanningContext } from './sft-sequence.js';
import { SplitMix64 } from './split-mix64.js';
import { stepRates } from './step-rates.js';
import { holdOut } from './validation-split.js';

interface NumberedPreference extends RenderedPreference {
  readonly number: number;
}

/**
 * Plans learning from preferences: lines that cannot be trained are left out, the others are shuffled by the seed and
 * cut into batches, each a row, so that files that are sorted by label train as well. A pair is never split over two
 * rows.
 *
 * @param lines of a JSON Lines file, without their line breaks; blank ones are skipped
 * @param validationLines the same of the validation data; null: it has no file of its own
 * @throws BadLineError, TemplateNotPrefixError, ToolCallsLostError which lines
 * @throws EmptyDataError no line that is not blank
 * @throws TooManyStepsError more than a million rows
 * @throws ValidationDataEmptyError nothing is left to evaluate
 * @throws NoTrainableTokensError no line can be trained
 * @throws LearningRateListLengthError a list of learning rates that is not as long as the list of rows
 */
export async function planPreference(
  lines: Lines,
  config: PreferenceConfig,
  context: SftPlanningContext,
  validationLines: Lines | null = null,
): Promise<Plan> {
  const rendered = await renderPreferences(lines, config, context);
  if (rendered.length === 0) throw new EmptyDataError();
  const { trained, heldOut } = holdOutPrompts(rendered, config);
  const apart = validationLines && (await renderPreferences(validationLines, config, context, VALIDATION));
  const evaluated = apart ?? (config.validation_fraction === null ? null : heldOut);
  const usable = trained.filter(({ dropped }) => dropped === null);
  if (usable.length === 0) throw noTrainableLine(droppedOf(trained), context.contextLength);
  const toRow = batcher(answerWeights(config, usable), context.contextLength);
  const validation = evaluated === null ? [] : validationRow(evaluated, toRow);
  const shuffled = new SplitMix64(config.seed).shuffle(usable);
  const batches = evenBatches(shuffled, config.batch_size);
  const planned = batches.map((batch) => ({ sequences: toRow(batch), lines: batch.length }));
  const rows = rowsOfEpochs(planned, stepRates(config, planned.length * config.n_epochs));
  const reasons = [...trained.map(({ dropped }) => dropped), ...heldOut.map(() => 'validation' as const)];
  const digest = planDigest(rows, validation);
  return {
    rows,
    validation,
    digest,
    counts: countLines(rows, reasons),
    trajectories: [],
    droppedLines: droppedOf(trained),
  };
}

/** All lines of a prompt are on one side: an answer that is trained says much of another one to the same prompt. */
function holdOutPrompts(lines: readonly NumberedPreference[], config: PreferenceConfig) {
  const prompts = new Map<string, NumberedPreference[]>();
  for (const line of lines) {
    const [sequence] = line.sequences;
    const key = sequence ? sequence.ids.slice(0, sequence.mask.indexOf(1)).join() : `line ${line.number}`;
    const known = prompts.get(key);
    if (known) known.push(line);
    else prompts.set(key, [line]);
  }
  const { trained, heldOut } = holdOut([...prompts.values()], config);
  return { trained: trained.flat(), heldOut: heldOut.flat() };
}

/** Batches of at most `size`, as equal as can be: a rest of one answer would weigh as much as a whole batch. */
function evenBatches<Line>(lines: readonly Line[], size: number): Line[][] {
  const count = Math.ceil(lines.length / size);
  return Array.from({ length: count }, (_, at) =>
    lines.slice(Math.ceil((at * lines.length) / count), Math.ceil(((at + 1) * lines.length) / count)),
  );
}

function renderPreferences(
  lines: Lines,
  { method }: PreferenceConfig,
  context: SftPlanningContext,
  file: PlanLoc = [],
): Promise<NumberedPreference[]> {
  const read = (text: string): LineResult<RenderedPreference> => {
    const line = readPreferenceLine(text, method);
    return typeof line === 'string' ? { wrong: line } : renderPreference(line, context);
  };
  return readEach(lines, read, file);
}

/**
 * The sequences of a batch: its pairs, or its answers with their weights, and each prompt with the answer of the line
 * before it (TRL pairs them the same way).
 */
function batcher(weights: AnswerWeights | null, contextLength: number) {
  return (batch: readonly RenderedPreference[]): PlannedSequence[] => {
    const sequences = batch.flatMap((line) => line.sequences);
    if (weights === null) return sequences;
    const answers = sequences.map((answer) => ({
      ...answer,
      weight: answer.weight * (answer.role === 'desirable' ? weights.desirable : weights.undesirable),
    }));
    // One answer alone would be matched with itself, and the estimate be its own reward.
    if (answers.length < 2) return answers;
    const mismatched = answers.flatMap(
      (prompt, at) => toMismatched(prompt, answers.at(at - 1) as PlannedSequence, contextLength) ?? [],
    );
    return [...answers, ...mismatched];
  };
}

function validationRow(
  lines: readonly RenderedPreference[],
  toRow: (batch: readonly RenderedPreference[]) => PlannedSequence[],
): PlannedSequence[] {
  const row = toRow(lines.filter(({ dropped }) => dropped === null));
  if (row.length === 0) throw new ValidationDataEmptyError('The validation data has no answer to evaluate');
  return row;
}
