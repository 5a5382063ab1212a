import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { tooManyIssue, valueIssue } from '../issues/issue.js';
import { AcceptsUnknownFields, fromRule, Nested } from '../validation/rule.js';
import { integerRule, IsFlag, IsInteger, IsWord, listRule, numberRule } from '../validation/rules.js';

const MAX_INT32 = 2_147_483_647;
/** A job object shows its settings: more rates than this would make it useless. */
const MAX_RATES = 100_000;
export const ASSISTANT_TURNS = ['all', 'last'] as const;

const BATCH_SIZE = integerRule({ min: 1, max: 4_096 });
const RATE = numberRule({ min: 0 });
const RATES = listRule(RATE);

const IsBatchSize = (): PropertyDecorator =>
  fromRule({
    ...BATCH_SIZE,
    name: 'isBatchSize',
    issues: (value) => (value === 'auto' ? [] : BATCH_SIZE.issues(value)),
    schema: { anyOf: [BATCH_SIZE.schema, { const: 'auto' }, { type: 'null' }] },
    coerce: (value) => (value === 'auto' ? value : BATCH_SIZE.coerce?.(value)),
  });

const IsLearningRate = (): PropertyDecorator =>
  fromRule({
    name: 'isLearningRate',
    issues(value) {
      if (!Array.isArray(value)) return RATE.issues(value);
      if (value.length === 0) return [valueIssue('A list of learning rates has one entry for each batch.')];
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

/** Settings of a fine-tuning job. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
@Example({ batch_size: 4, learning_rate: [2e-4, 1e-4] })
export class SftConfigDto {
  /** Lines of one gradient step, 1 to 4,096. `auto`, absent or null: 2. */
  @IsOptional() @IsBatchSize() batch_size?: number | 'auto' | null;
  /**
   * One learning rate for all batches, or a list with one for each, at most 100,000; 0 or more.
   * Recommended: 2e-3 for bases of up to 10 million parameters, 1e-3 up to 300 million, 5e-4 up to 2 billion, 2e-4 up
   * to 10 billion, 1e-4 above. Absent or null: 5e-5.
   */
  @IsOptional() @IsLearningRate() learning_rate?: number | number[] | null;
  /** Which of a conversation's assistant turns are trained. Absent or null: `all`. */
  @IsOptional() @IsWord(ASSISTANT_TURNS) assistant_turns?: (typeof ASSISTANT_TURNS)[number] | null;
  /** Whether the means of the job are also shown with its checkpoint. Absent or null: not. */
  @IsOptional() @Nested(() => MetricLoggingDto) metric_logging?: MetricLoggingDto | null;
}
