import { IsOptional } from 'class-validator';

import { type Issue, issue, valueIssue } from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { IsProjectName } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { CallFilterDto } from '../trace/call-queries.dto.js';
import { CallConditionDto } from '../trace/query.dto.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsWord, mapRule, numberRule } from '../validation/rules.js';
import { IsValueMap } from '../validation/value-map.js';
import { IsEntity } from './entity-field.js';
import { IsRefName } from './ref-name.js';
import { both, isSent } from './training-config.dto.js';

const MAX_INT32 = 2_147_483_647;
/** Most calls that one body may select. */
export const MAX_SOURCE_CALLS = 100_000;
const MAX_RULES = 16;
const MAX_SPLITS = 8;

export const TRAINING_DATA_KINDS = ['sft', 'rl', 'preference', 'thumbs', 'best_of', 'distill'] as const;
export type TrainingDataKind = (typeof TRAINING_DATA_KINDS)[number];
export const PAIRINGS = ['best_worst', 'all'] as const;
export type Pairing = (typeof PAIRINGS)[number];
export const REDUCTIONS = ['mean', 'last', 'min', 'max'] as const;
export type Reduction = (typeof REDUCTIONS)[number];
export const CORRECTION_USES = ['prefer', 'only', 'ignore'] as const;
export type CorrectionUse = (typeof CORRECTION_USES)[number];

const SOURCES_OF_VALUE = ['path', 'rating', 'tag'] as const;
const TEXT = { type: 'string' };
const CLASHES = [
  both({ path: TEXT }, { rating: TEXT }),
  both({ path: TEXT }, { tag: TEXT }),
  both({ rating: TEXT }, { tag: TEXT }),
];

/** Which number of feedback is a reward. All that are given must hold; only one of `path`, `rating` and `tag`. */
@Constrained({ schema: { not: { anyOf: CLASHES } } })
export class RewardRuleDto {
  /** Type of the feedback, 1 to 256 characters, for example `hone.reaction.1`. Absent or null: any. */
  @IsOptional() @IsText({ min: 1, max: 256 }) feedback_type?: string | null;
  /**
   * Who judged, 1 to 1,024 characters: the id of a person, or the ref of a scorer, of any scheme; `:*` at its end means
   * any version. Absent or null: anybody.
   */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) scorer?: string | null;
  /**
   * Dotted path into the payload, 1 to 1,024 characters: a number as it is, true 1, false 0, any other value through
   * `map`. Absent or null: what `rating` or `tag` says; without these the emoji of a reaction (a thumb up is 1, a thumb
   * down 0), the value of an annotation, the output of a runnable.
   */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) path?: string | null;
  /** Name of a rating in `scorer_ratings`, 1 to 1,024 characters. Absent or null: none. */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) rating?: string | null;
  /** A tag of `scorer_tags`, 1 to 1,024 characters; it counts 1, or what `map` says. Absent or null: none. */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) tag?: string | null;
  /**
   * Text of a value -> its number, at most 256; a value that is not in it counts for nothing. Absent or null: numbers and
   * booleans as they are.
   */
  @IsOptional() @IsValueMap() map?: Record<string, number> | null;
  /** How much the rule counts beside the others, above 0. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0 }) weight?: number | null;
  /** What becomes of several numbers for one call, in the order in which they were given. Absent or null: `mean`. */
  @IsOptional() @IsWord(REDUCTIONS) reduce?: Reduction | null;
}

/** Which calls are meant, oldest first; ties by id. */
export class TrainingDataSourceDto {
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Most calls to read, 1 to 100,000: the oldest. Absent or null: all; more than 100,000 are refused. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_SOURCE_CALLS }) limit?: number | null;
}

/** Which calls are good enough. */
export class AcceptanceDto {
  /** Least reward, included. Calls with a correction need none. */
  @IsNumber() min_reward!: number;
}

const SPLIT_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FRACTION = numberRule({ above: 0, max: 1 });

function splitIssues(value: unknown): Issue[] {
  if (!isJsonObject(value)) return [issue('dict_type')];
  const names = Object.keys(value);
  if (names.length === 0 || names.length > MAX_SPLITS)
    return [valueIssue(`Input should have 1 to ${MAX_SPLITS} splits`)];
  const issues = names.flatMap((name) =>
    SPLIT_NAME.test(name)
      ? FRACTION.issues(value[name]).map((found) => ({ ...found, loc: [name] }))
      : [valueIssue('Names should have 1 to 64 of A-Z a-z 0-9 _ -', [name])],
  );
  if (issues.length > 0) return issues;
  const sum = names.reduce((total, name) => total + (asNumber(value[name]) as number), 0);
  return Math.abs(sum - 1) > 1e-6 ? [valueIssue('The fractions should add up to 1')] : [];
}

const IsSplit = (): PropertyDecorator =>
  fromRule({
    name: 'isSplit',
    issues: splitIssues,
    schema: {
      type: 'object',
      propertyNames: { pattern: SPLIT_NAME.source },
      additionalProperties: FRACTION.schema,
      minProperties: 1,
      maxProperties: MAX_SPLITS,
      examples: [{ train: 0.9, val: 0.1 }],
    },
    coerce: (value) => mapRule(FRACTION).coerce?.(value),
  });

const ATTRIBUTE = 'attribute:';
const GROUPINGS = ['prompt', 'thread', 'none'];
const IsGrouping = (): PropertyDecorator =>
  fromRule({
    name: 'isGrouping',
    issues(value) {
      if (typeof value !== 'string') return [issue('string_type')];
      const path = value.startsWith(ATTRIBUTE) ? value.slice(ATTRIBUTE.length) : '';
      const isPath = path !== '' && path.length <= 1_024 && !path.includes('\0') && path.isWellFormed();
      return isPath || GROUPINGS.includes(value)
        ? []
        : [valueIssue("Input should be 'prompt', 'thread', 'none' or 'attribute:<path>'")];
    },
    schema: {
      type: 'string',
      pattern: '^(?:prompt|thread|none|attribute:[^\\u0000]{1,1024})$',
      examples: ['prompt', 'attribute:metadata.task'],
    },
  });

/** Rules of a body that are about several fields. */
function bodyIssues(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((rule, index) => {
    if (!isJsonObject(rule)) return [];
    const [, second] = SOURCES_OF_VALUE.filter((name) => isSent(rule[name]));
    return second ? [valueIssue('Only one of path, rating and tag', [index, second])] : [];
  });
}

const AreConsistent = (): PropertyDecorator => fromRule({ name: 'areConsistent', issues: bodyIssues, schema: {} });

/** Body of `POST /v1/preview/training-data/from-calls`. A field that is not declared here is refused. */
@Constrained({
  schema: {
    not: { properties: { kind: { const: 'rl' }, corrections: { const: 'only' } }, required: ['kind', 'corrections'] },
  },
})
@Example({
  entity: 'acme',
  project: 'demo',
  name: 'thumbs',
  kind: 'rl',
  source: { filter: { op_names: ['hone:///acme/demo/op/chat.completions:v0'] } },
  reward: [{ feedback_type: 'hone.reaction.1' }],
  group_by: 'prompt',
  split: { train: 0.9, val: 0.1 },
  dry_run: true,
})
export class TrainingDataFromCallsDto {
  /** Project of the calls and of the data, 1 to 128 characters. */
  @IsProjectName() project!: string;
  /** Entity of the project. Absent or null: the caller's default entity. */
  @IsOptional() @IsEntity() entity?: string | null;
  /** Name of the artifact that the data becomes the next version of, 1 to 128 characters. */
  @IsRefName() name!: string;
  /**
   * What the data is for. Fine-tuning: `sft`, a conversation a line; `distill`, the same of a stronger model's answers, the
   * best one of each prompt, corrected ones first; `best_of`, the answer with the highest reward of those to one prompt.
   * Preferences: `preference`, a pair a line, from corrections, feedback `hone.preference.1`, and answers to one prompt with
   * different rewards; `thumbs`, an answer a line that is liked or not, from any model. Reinforcement learning: `rl`, a group of
   * trajectories a line. Absent or null: the one that the calls carry most for, which the answer names, with the reason.
   */
  @IsOptional() @IsWord(TRAINING_DATA_KINDS) kind?: TrainingDataKind | null;
  /** Which calls are meant. */
  @Nested(() => TrainingDataSourceDto) source!: TrainingDataSourceDto;
  /**
   * Where rewards come from, at most 16 rules: the reward of a call is the mean of the rules that have a number for it, by
   * their weights. Absent, null or empty: reactions, a thumb up 1 and a thumb down 0.
   */
  @IsOptional() @NestedList(() => RewardRuleDto, MAX_RULES) @AreConsistent() reward?: RewardRuleDto[] | null;
  /** Reward of a call for which no rule has a number. Absent or null: such a call is left out where it needs a reward. */
  @IsOptional() @IsNumber() default_reward?: number | null;
  /**
   * Whether judgements of scorers count only where no person has judged the call by any of the rules. Absent or null:
   * true.
   */
  @IsOptional() @IsFlag() people_first?: boolean | null;
  /**
   * `rl`: which answers are compared with each other: those to one `prompt`, of one `thread`, with one value at
   * `attribute:<path>`, or, with `none`, all. Absent or null: `prompt`.
   */
  @IsOptional() @IsGrouping() group_by?: string | null;
  /** `rl`, `best_of`: smaller groups are left out, 1 to 16,384. Absent or null: 2. */
  @IsOptional() @IsInteger({ min: 1, max: 16_384 }) min_group_size?: number | null;
  /**
   * `sft`, `distill`, `best_of`: only calls that are good enough. `thumbs`: from which reward on an answer is liked. Absent or null: all, with
   * or without a reward; of `thumbs` 0.5.
   */
  @IsOptional() @Nested(() => AcceptanceDto) accept?: AcceptanceDto | null;
  /**
   * What becomes of feedback `hone.correction.1`: the newest stands in place of the answer (`prefer`), calls without one are
   * left out as well (`only`), or it counts for nothing (`ignore`). `preference` prefers it to the answer. `rl` knows no
   * `only`, and `thumbs` and `best_of` judge answers as they were. Absent or null: `prefer`.
   */
  @IsOptional() @IsWord(CORRECTION_USES) corrections?: CorrectionUse | null;
  /**
   * `preference`: which answers to one prompt make pairs by their rewards: the best with the worst (`best_worst`), or up to
   * four pairs, those with the largest gaps first (`all`). Absent or null: `best_worst`.
   */
  @IsOptional() @IsWord(PAIRINGS) pairs?: Pairing | null;
  /** `preference`: least gap between the rewards of a pair, 0 or more; equal rewards make none. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0 }) min_gap?: number | null;
  /** `sft`, `distill`: whether equal conversations are kept once, the oldest; the other kinds keep all answers. Absent or null: true. */
  @IsOptional() @IsFlag() dedupe?: boolean | null;
  /**
   * Name of a split -> its share, above 0, 1 to 8 splits that add up to 1. Equal prompts are on one side. Absent or null:
   * all is `train`.
   */
  @IsOptional() @IsSplit() split?: Record<string, number> | null;
  /** Seed of the splits, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) seed?: number | null;
  /**
   * `rl`: calls that were answered more steps before the latest step of their model are left out, 0 to 2,147,483,647.
   * Absent or null: 8.
   */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) max_policy_staleness?: number | null;
  /**
   * Id of the model that is to be trained, a UUID: `rl` takes its calls only; the others are diagnosed with its base model. Absent or
   * null: `rl` takes the calls of the model that has most of them.
   */
  @IsOptional() @IsUuid() model_id?: string | null;
  /** Whether nothing is stored. Absent or null: false. */
  @IsOptional() @IsFlag() dry_run?: boolean | null;
}
