import { IsOptional } from 'class-validator';

import { isJsonObject } from '../json/index.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule } from '../validation/rule.js';
import { IsWord } from '../validation/rules.js';
import {
  BATCH_SIZE,
  EPOCHS,
  IsAutoOr,
  IsLearningRate,
  LINES_CLASHES,
  linesClashes,
  LinesConfigDto,
} from './lines-config.dto.js';

export const ASSISTANT_TURNS = ['all', 'last'] as const;

/** Settings of a fine-tuning job. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
@Constrained({ schema: { not: { anyOf: LINES_CLASHES } } })
@Example({ batch_size: 4, n_epochs: 2, learning_rate: 2e-3, lr_schedule: 'cosine', warmup_ratio: 0.1 })
export class SftConfigDto extends LinesConfigDto {
  /** Lines of one gradient step, 1 to 4,096. `auto`, absent or null: 2. */
  @IsOptional() @IsAutoOr(BATCH_SIZE) batch_size?: number | 'auto' | null;
  /**
   * How many times the job goes through the training lines, each time in the order of the file, 1 to 100. `auto`,
   * absent or null: 1.
   */
  @IsOptional() @IsAutoOr(EPOCHS) n_epochs?: number | 'auto' | null;
  /**
   * One learning rate for all gradient steps, or a list with one for each (batches x epochs), at most 100,000; 0 or
   * more. A list is a schedule by itself: it goes with neither a warm-up nor an `lr_schedule` that falls.
   * Recommended: 2e-3 for bases of up to 10 million parameters, 1e-3 up to 300 million, 5e-4 up to 2 billion, 2e-4 up
   * to 10 billion, 1e-4 above. Absent or null: the recommended one.
   */
  @IsOptional() @IsLearningRate() learning_rate?: number | number[] | null;
  /** Which of a conversation's assistant turns are trained. Absent or null: `all`. */
  @IsOptional() @IsWord(ASSISTANT_TURNS) assistant_turns?: (typeof ASSISTANT_TURNS)[number] | null;
}

/** The fields of a configuration do not contradict each other. */
export const IsConsistentSft = (): PropertyDecorator =>
  fromRule({
    name: 'isConsistentSft',
    issues: (value) => (isJsonObject(value) ? linesClashes(value as unknown as SftConfigDto) : []),
    schema: {},
  });
