import type { Lines } from './each-line.js';
import { countLines, droppedOf, rowsOfEpochs, VALIDATION } from './lines-plan.js';
import { noTrainableLine } from './no-trainable-line.js';
import { EmptyDataError } from './plan.errors.js';
import type { Plan, PlannedSequence } from './plan.js';
import { planDigest } from './plan-lines.js';
import type { SftConfig } from './sft-config.js';
import { type RenderedLine, renderLines } from './sft-lines.js';
import type { SftPlanningContext } from './sft-sequence.js';
import { stepRates } from './step-rates.js';
import { holdOut, validationSequences } from './validation-split.js';

export type { SftPlanningContext };

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
  const batches = Array.from({ length: Math.ceil(trained.length / config.batch_size) }, (_, row) => {
    const sequences = trained.slice(row * config.batch_size, (row + 1) * config.batch_size).flatMap(toTrain);
    return { sequences, lines: sequences.length };
  });
  const rows = rowsOfEpochs(batches, stepRates(config, batches.length * config.n_epochs));
  const reasons = trained.map(({ dropped }) => dropped);
  if (!reasons.includes(null)) throw noTrainableLine(droppedOf(trained), context.contextLength);
  const counts = countLines(rows, [...reasons, ...heldOut.map(() => 'validation' as const)]);
  return {
    rows,
    validation,
    digest: planDigest(rows, validation),
    counts,
    trajectories: [],
    droppedLines: droppedOf(trained),
  };
}

const toTrain = ({ sequence, dropped }: RenderedLine): PlannedSequence[] =>
  sequence !== null && dropped === null ? [sequence] : [];
