import { IsOptional } from 'class-validator';

import { type Issue, valueIssue } from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, type JsonSchema } from '../validation/rule.js';
import { IsNumber, IsWord } from '../validation/rules.js';
import {
  BATCH_SIZE,
  EPOCHS,
  IsAutoOr,
  IsLearningRate,
  LINES_CLASHES,
  linesClashes,
  LinesConfigDto,
} from './lines-config.dto.js';
import { both, isSent } from './training-config.dto.js';

export const PREFERENCE_METHODS = ['dpo', 'ipo', 'orpo', 'kto'] as const;
export type PreferenceMethod = (typeof PREFERENCE_METHODS)[number];
export const PREFERENCE_REFERENCES = ['parent', 'base'] as const;

const MAX_WEIGHT = 1_000;

/** The methods that have a setting. Another method with the setting is a contradiction. */
const OF_METHODS = {
  beta: ['dpo', 'ipo', 'kto'],
  label_smoothing: ['dpo'],
  lambda: ['orpo'],
  reference: ['dpo', 'ipo', 'kto'],
  desirable_weight: ['kto'],
  undesirable_weight: ['kto'],
} as const satisfies Record<string, readonly PreferenceMethod[]>;

const SETTINGS = Object.keys(OF_METHODS) as (keyof typeof OF_METHODS)[];
const othersThan = (setting: keyof typeof OF_METHODS): PreferenceMethod[] =>
  PREFERENCE_METHODS.filter((method) => !(OF_METHODS[setting] as readonly string[]).includes(method));

/** What {@link IsConsistentPreference} refuses, as schemas. Without a method it is DPO. */
const CLASHES: readonly JsonSchema[] = SETTINGS.flatMap((setting) => {
  const sent = { [setting]: { not: { type: 'null' } } };
  const others = othersThan(setting);
  const byDefault = { properties: { ...sent, method: { type: 'null' } }, required: [setting] };
  return [both(sent, { method: { enum: others } }), ...(others.includes('dpo') ? [byDefault] : [])];
}).concat(both({ batch_size: { const: 1 } }, { method: { const: 'kto' } }));

/** Settings of a job that learns from preferences. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
@Constrained({ schema: { not: { anyOf: [...LINES_CLASHES, ...CLASHES] } } })
@Example({ method: 'dpo', beta: 0.1, n_epochs: 3, lr_schedule: 'cosine' })
export class PreferenceConfigDto extends LinesConfigDto {
  /**
   * How the job learns. From pairs: `dpo` raises the chosen answer over the rejected one, `ipo` the same up to a fixed
   * distance, for few or clean pairs, `orpo` learns the chosen answer and raises its odds, without a reference. From
   * single answers that are liked or not: `kto`. Absent or null: `dpo`.
   */
  @IsOptional() @IsWord(PREFERENCE_METHODS) method?: PreferenceMethod | null;
  /**
   * How strongly the model is held to its reference, above 0: the larger, the less it changes. For `ipo` the distance
   * that it aims at is 1 / (2 beta). Not with `orpo`. Absent or null: 0.1.
   */
  @IsOptional() @IsNumber({ above: 0 }) beta?: number | null;
  /** Share of pairs that are assumed to be the wrong way round, from 0, below 0.5; only with `dpo`. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0, max: 0.499 }) label_smoothing?: number | null;
  /** Weight of the odds ratio beside the cross entropy of the chosen answer, above 0; only with `orpo`. Absent or null: 0.1. */
  @IsOptional() @IsNumber({ above: 0 }) lambda?: number | null;
  /**
   * The weights that the model is held to: those that the job starts from, or the base's. Not with `orpo`. Absent or
   * null: `parent`.
   */
  @IsOptional() @IsWord(PREFERENCE_REFERENCES) reference?: (typeof PREFERENCE_REFERENCES)[number] | null;
  /**
   * Weight of each liked answer, above 0, at most 1,000; only with `kto`. Absent or null: 1, or what makes liked answers weigh as much
   * as disliked ones if there are fewer of them, at most 100.
   */
  @IsOptional() @IsNumber({ above: 0, max: MAX_WEIGHT }) desirable_weight?: number | null;
  /** The same of disliked answers. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_WEIGHT }) undesirable_weight?: number | null;
  /**
   * Pairs, or answers, of one gradient step, 1 to 4,096. `kto` needs several: it estimates from the other answers of a
   * step how far the model is from its reference. `auto`, absent or null: 8.
   */
  @IsOptional() @IsAutoOr(BATCH_SIZE) batch_size?: number | 'auto' | null;
  /**
   * How many times the job goes through the lines, each time in the order that the seed draws, 1 to 100. `auto`, absent or
   * null: 3, with `kto` 1.
   */
  @IsOptional() @IsAutoOr(EPOCHS) n_epochs?: number | 'auto' | null;
  /**
   * One learning rate for all gradient steps, or a list with one for each (batches x epochs), at most 100,000; 0 or
   * more. A list is a schedule by itself: it goes with neither a warm-up nor an `lr_schedule` that falls.
   * Recommended: 5e-4 for bases of up to 10 million parameters, 1e-4 up to 300 million, 3e-5 up to 2 billion, 1e-5 up
   * to 10 billion, 5e-6 above. Absent or null: the recommended one.
   */
  @IsOptional() @IsLearningRate() learning_rate?: number | number[] | null;
}

function methodClashes(config: PreferenceConfigDto): Issue[] {
  const method = config.method ?? 'dpo';
  const lonely =
    method === 'kto' && asNumber(config.batch_size) === 1
      ? [valueIssue('kto compares the answers of a step: it needs two or more.', ['batch_size'])]
      : [];
  return lonely.concat(
    SETTINGS.flatMap((setting) =>
      isSent(config[setting]) && othersThan(setting).includes(method)
        ? [valueIssue(`${setting} has no effect on ${method}.`, [setting])]
        : [],
    ),
  );
}

/** The fields of a configuration do not contradict each other. */
export const IsConsistentPreference = (): PropertyDecorator =>
  fromRule({
    name: 'isConsistentPreference',
    issues: (value) => {
      if (!isJsonObject(value)) return [];
      const config = value as unknown as PreferenceConfigDto;
      return [...linesClashes(config), ...methodClashes(config)];
    },
    schema: {},
  });
