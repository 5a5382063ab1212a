import { IsOptional } from 'class-validator';

import { type Issue, tooManyIssue, valueIssue } from '../issues/issue.js';
import { asNumber } from '../json/index.js';
import { AcceptsUnknownFields, fromRule, type JsonSchema, Nested, type Rule } from '../validation/rule.js';
import { integerRule, IsFlag, IsInteger, IsNumber, listRule, numberRule } from '../validation/rules.js';
import { both, isSent, TRAINING_CLASHES, trainingClashes, TrainingConfigDto } from './training-config.dto.js';
import { IsTrainingDataUrl } from './training-data-url.js';

const MAX_INT32 = 2_147_483_647;
/** A job object shows its settings: more rates than this would make it useless. */
const MAX_RATES = 100_000;

export const BATCH_SIZE = integerRule({ min: 1, max: 4_096 });
export const EPOCHS = integerRule({ min: 1, max: 100 });
const RATE = numberRule({ min: 0 });
const RATES = listRule(RATE);

/** A number, or the word `auto`. */
export const IsAutoOr = (rule: Rule): PropertyDecorator =>
  fromRule({
    name: `${rule.name}OrAuto`,
    issues: (value) => (value === 'auto' ? [] : rule.issues(value)),
    schema: { anyOf: [rule.schema, { const: 'auto' }, { type: 'null' }] },
    coerce: (value) => (value === 'auto' ? value : rule.coerce?.(value)),
  });

/** One rate, or a list of them. */
export const IsLearningRate = (): PropertyDecorator =>
  fromRule({
    name: 'isLearningRate',
    issues(value) {
      if (!Array.isArray(value)) return RATE.issues(value);
      if (value.length === 0) return [valueIssue('A list of learning rates has one entry for each gradient step.')];
      if (value.length > MAX_RATES) return [tooManyIssue(MAX_RATES)];
      const at = value.findIndex((rate) => RATE.issues(rate).length > 0);
      return at < 0 ? [] : RATE.issues(value[at]).map((found) => ({ ...found, loc: [at] }));
    },
    schema: { anyOf: [RATE.schema, { ...RATES.schema, minItems: 1, maxItems: MAX_RATES }, { type: 'null' }] },
    coerce: (value) => (Array.isArray(value) ? RATES : RATE).coerce?.(value),
  });

/** Whether the means of the job are also shown with its checkpoint. */
@AcceptsUnknownFields()
export class MetricLoggingDto {
  /** Whether the means of the job are also shown with its checkpoint. Absent or null: false. */
  @IsOptional() @IsFlag() enabled?: boolean | null;
  /** Label of the job in the history of its run, 1 to 2,147,483,647. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_INT32 }) target_training_step?: number | null;
}

/** When training ends before its last gradient step. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
export class EarlyStoppingDto {
  /** Training ends after so many evaluations without a lower validation loss, 1 to 2,147,483,647. Absent or null: 3. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_INT32 }) patience?: number | null;
  /** By how much the validation loss must be below the lowest so far to count as lower, 0 or more. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0 }) min_delta?: number | null;
}

const RATE_LIST = { type: 'array' };
const needsValidation = (field: JsonSchema): JsonSchema => ({
  properties: { ...field, validation_data_url: { type: 'null' }, validation_fraction: { type: 'null' } },
  required: Object.keys(field),
});
/** What {@link linesClashes} finds, as schemas. */
export const LINES_CLASHES: readonly JsonSchema[] = [
  both({ validation_data_url: { type: 'string' } }, { validation_fraction: { type: 'number' } }),
  needsValidation({ validation_every: { type: 'integer' } }),
  needsValidation({ early_stopping: { type: 'object' } }),
  ...TRAINING_CLASHES,
  both({ learning_rate: RATE_LIST }, { lr_schedule: { enum: ['linear', 'cosine'] } }),
  both({ learning_rate: RATE_LIST }, { warmup_steps: { type: 'integer', minimum: 1 } }),
  both({ learning_rate: RATE_LIST }, { warmup_ratio: { type: 'number', exclusiveMinimum: 0 } }),
];

interface WithRates {
  readonly learning_rate?: number | number[] | null;
}

/** Settings of jobs that learn from the lines of a file. */
export class LinesConfigDto extends TrainingConfigDto {
  /** Whether the means of the job are also shown with its checkpoint. Absent or null: not. */
  @IsOptional() @Nested(() => MetricLoggingDto) metric_logging?: MetricLoggingDto | null;
  /**
   * JSON Lines that are not trained: their loss, of the job's own kind, is the `validation_loss` of gradient steps. The same
   * forms as `training_data_url`; not with `validation_fraction`. Absent or null: what `validation_fraction` says.
   */
  @IsOptional() @IsTrainingDataUrl() validation_data_url?: string | null;
  /**
   * Share of the training lines that is held out for validation instead, above 0, at most 0.5: drawn by the seed, at
   * least one line. Absent or null: none.
   */
  @IsOptional() @IsNumber({ above: 0, max: 0.5 }) validation_fraction?: number | null;
  /**
   * Gradient steps between two evaluations, 1 to 2,147,483,647; the last step is always evaluated. Absent or null: 1
   * with up to 256 validation lines, one more for each further 256.
   */
  @IsOptional() @IsInteger({ min: 1, max: MAX_INT32 }) validation_every?: number | null;
  /**
   * Ends training when the validation loss does not fall any more; the checkpoint then has the weights with the lowest
   * one. The gradient steps that are left out still have their events, with `stopped_early` 1. Absent or null: all
   * steps are taken, and the checkpoint has the last weights.
   */
  @IsOptional() @Nested(() => EarlyStoppingDto) early_stopping?: EarlyStoppingDto | null;
}

/** What contradicts itself in a configuration whose fields are each right. */
export function linesClashes(config: LinesConfigDto & WithRates): Issue[] {
  const { learning_rate, lr_schedule, warmup_steps, warmup_ratio } = config;
  const issues = [...trainingClashes(config), ...validationClashes(config)];
  if (!Array.isArray(learning_rate)) return issues;
  const message = 'A list of learning rates is a schedule by itself.';
  if (isSent(lr_schedule) && lr_schedule !== 'constant') issues.push(valueIssue(message, ['lr_schedule']));
  if ((asNumber(warmup_steps) ?? 0) > 0) issues.push(valueIssue(message, ['warmup_steps']));
  if ((asNumber(warmup_ratio) ?? 0) > 0) issues.push(valueIssue(message, ['warmup_ratio']));
  return issues;
}

/** Without validation data there is nothing to evaluate. */
function validationClashes(config: LinesConfigDto): Issue[] {
  const { validation_data_url, validation_fraction, validation_every, early_stopping } = config;
  if (isSent(validation_data_url) && isSent(validation_fraction)) {
    return [valueIssue('Only one of validation_data_url and validation_fraction.', ['validation_fraction'])];
  }
  if (isSent(validation_data_url) || isSent(validation_fraction)) return [];
  const message = 'It needs validation data: set validation_data_url or validation_fraction.';
  return Object.entries({ validation_every, early_stopping }).flatMap(([name, value]) =>
    isSent(value) ? [valueIssue(message, [name])] : [],
  );
}
