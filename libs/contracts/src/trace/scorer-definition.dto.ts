import { IsOptional } from 'class-validator';

import { fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsJsonValue,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
  mapRule,
  textRule,
} from '../validation/rules.js';
import { CallConditionDto } from './query.dto.js';

/** Who finds the verdict: a rule, a model that rates, a server of one's own, or a model that compares two answers. */
export const SCORER_KINDS = ['check', 'llm', 'http', 'pairwise'] as const;
export type ScorerKind = (typeof SCORER_KINDS)[number];

/** What a scorer of the kind `check` can compute of a call. */
export const SCORER_CHECKS = [
  'exact',
  'contains',
  'regex',
  'json_schema',
  'json_equal',
  'numeric',
  'edit_distance',
  'latency',
  'cost',
  'tool_called',
  'language',
  'expression',
] as const;
export type ScorerCheck = (typeof SCORER_CHECKS)[number];

const MAX_TEXT = 32_768;
/** Names of ratings and tags: keys of feedback. */
const NAME = { min: 1, max: 64 } as const;
const MAX_RATINGS = 8;
const MAX_TAGS = 16;
const MAX_STEP = 100;
const MAX_NUMBER = 1e9;
const ROLES = ['system', 'user', 'assistant'] as const;

/** A rule that is computed of a call. Its verdict is the rating `passed`, 1 or 0; numeric ones have the rating `value`, too. */
export class CheckDto {
  /**
   * What is computed: `exact` and `contains` compare texts; `regex` searches a pattern; `json_schema` and `json_equal` read
   * the text as JSON; `numeric` compares numbers; `edit_distance` counts changed characters by the longer text's; `latency`
   * and `cost` are those of the call itself; `tool_called` asks for a tool by its name; `language` for the language of the text;
   * `expression` for a condition on the call.
   */
  @IsWord(SCORER_CHECKS) check!: ScorerCheck;
  /** Path of what is checked within the call, as `output.answer`, 1 to 256 characters. Absent or null: the text that the call answered. */
  @IsOptional() @IsText({ min: 1, max: 256 }) of?: string | null;
  /** What it is compared with. Absent: see `reference`. */
  @IsOptional() @IsJsonValue() value?: unknown;
  /** Path of what it is compared with within the call, as `inputs.expected`, 1 to 256 characters. Absent or null: `value` is. */
  @IsOptional() @IsText({ min: 1, max: 256 }) reference?: string | null;
  /** Whether upper and lower case and white space at the ends are the same to `exact` and `contains`. Absent or null: false. */
  @IsOptional() @IsFlag() ignore_case?: boolean | null;
  /** Of `regex`: a pattern of RE2, which takes linear time, 1 to 1,024 characters. */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) pattern?: string | null;
  /** Of `json_schema`: the JSON Schema (draft 7 or 2020-12) that the value meets. */
  @IsOptional() @IsJsonObject() schema?: Record<string, unknown> | null;
  /** Of `numeric`: the largest absolute difference. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0 }) abs?: number | null;
  /** Of `numeric`: the largest difference relative to the expected number. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0 }) rel?: number | null;
  /** Of `edit_distance`, `latency` and `cost`: the most that passes, in shares of the longer text's characters, milliseconds, US dollars. */
  @IsOptional() @IsNumber({ min: 0 }) max?: number | null;
  /** Of `tool_called`: name of the tool, 1 to 256 characters. */
  @IsOptional() @IsText({ min: 1, max: 256 }) tool?: string | null;
  /** Of `language`: its code of ISO 639-3, such as `eng`. */
  @IsOptional() @IsText({ min: 3, max: 3 }) language?: string | null;
  /** Of `expression`: the condition that the call meets. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
}

/** A message that a judge reads. */
export class JudgeMessageDto {
  /** Whose message it is. */
  @IsWord(ROLES) role!: (typeof ROLES)[number];
  /**
   * Text with variables, at most 32,768 characters: `{{output}}` is what the call answered, `{{messages}}` the conversation
   * before, `{{reference}}` the expected answer, `{{inputs.…}}` a path of its inputs.
   */
  @IsText({ min: 1, max: MAX_TEXT }) content!: string;
}

/** A number that a judge finds. */
export class JudgeRatingDto {
  /** Name, 1 to 64 characters, unique among ratings and tags. */
  @IsText(NAME) name!: string;
  /** Least number, included. */
  @IsInteger({ min: -MAX_STEP, max: MAX_STEP }) min!: number;
  /** Largest number, included, above `min`. */
  @IsInteger({ min: -MAX_STEP, max: MAX_STEP }) max!: number;
  /** What is rated, at most 2,048 characters. Absent or null: the name says it. */
  @IsOptional() @IsText({ max: 2_048 }) description?: string | null;
  /** Number -> what it means. Absent or null: the scale says it. */
  @IsOptional() @fromRule(mapRule(textRule({ max: 1_024 }))) steps?: Record<string, string> | null;
}

/** Something that a judge says is so, or is not. */
export class JudgeTagDto {
  /** Name, 1 to 64 characters, unique among ratings and tags. */
  @IsText(NAME) name!: string;
  /** When it is so, at most 2,048 characters. Absent or null: the name says it. */
  @IsOptional() @IsText({ max: 2_048 }) description?: string | null;
}

/** A model that is asked for a verdict. It always writes its reason before its numbers. */
export class JudgeDto {
  /** Model of the gateway, a trained model or an alias of one, 1 to 256 characters. */
  @IsText({ min: 1, max: 256 }) model!: string;
  /** What it reads, 1 to 16 messages. What it is to answer is said after them. */
  @NestedList(() => JudgeMessageDto, 16) messages!: JudgeMessageDto[];
  /** Numbers that it finds, at most 8. Absent or null: none; then there are tags. */
  @IsOptional() @NestedList(() => JudgeRatingDto, MAX_RATINGS) ratings?: JudgeRatingDto[] | null;
  /** What it says is so or not, at most 16. Absent or null: none; then there are ratings. */
  @IsOptional() @NestedList(() => JudgeTagDto, MAX_TAGS) tags?: JudgeTagDto[] | null;
  /**
   * Whether a rating is the mean over the numbers of its scale, weighted by how likely the model holds each: where the scale
   * is within 0 to 9, and the model says log-probabilities. Absent or null: false.
   */
  @IsOptional() @IsFlag() expected?: boolean | null;
  /** Path of the expected answer within the call, for `{{reference}}`, 1 to 256 characters. Absent or null: there is none. */
  @IsOptional() @IsText({ min: 1, max: 256 }) reference?: string | null;
  /** How often it is asked, 1 to 9: ratings are means, tags what most say. Absent or null: once. */
  @IsOptional() @IsInteger({ min: 1, max: 9 }) votes?: number | null;
  /** Sampling temperature, 0 to 2. Absent or null: 0 for one vote, 1 for several. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Seed of sampling; each vote adds its number. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 2_147_483_000 }) seed?: number | null;
  /** Most tokens of its answer, 16 to 8,192; never fewer than its criteria and a short reason take. Absent or null: 512. */
  @IsOptional() @IsInteger({ min: 16, max: 8_192 }) max_tokens?: number | null;
}

/**
 * A model that is asked which of two answers to the same is better, in both orders. Its verdict is the rating `win`: 1 where
 * the call's answer is better in both, 0 where the other one is, 0.5 where they are alike or the orders disagree; then it has the
 * tag `flipped`, too. The mean of `win` is the win rate.
 */
export class PairwiseDto {
  /** Model of the gateway, a trained model or an alias of one, 1 to 256 characters. */
  @IsText({ min: 1, max: 256 }) model!: string;
  /**
   * What it reads, 1 to 16 messages. `{{first}}` and `{{second}}` are the two answers, both of which are needed; `{{messages}}`
   * is the conversation before, `{{inputs.…}}` a path of the call's inputs. What it is to answer is said after them.
   */
  @NestedList(() => JudgeMessageDto, 16) messages!: JudgeMessageDto[];
  /**
   * Path of the other answer within the call, as `inputs.expected`, 1 to 256 characters; a call's ref there means what that call
   * answered. Absent or null: an evaluation with a `baseline` says it; of other calls nothing is judged.
   */
  @IsOptional() @IsText({ min: 1, max: 256 }) against?: string | null;
  /** What makes an answer better, at most 2,048 characters. Absent or null: the messages say it. */
  @IsOptional() @IsText({ max: 2_048 }) description?: string | null;
  /** Sampling temperature, 0 to 2. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Seed of sampling. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 2_147_483_000 }) seed?: number | null;
  /** Most tokens of an answer, 16 to 8,192; never fewer than a short reason takes. Absent or null: 512. */
  @IsOptional() @IsInteger({ min: 16, max: 8_192 }) max_tokens?: number | null;
}

/** A number that a server finds. */
export class HttpRatingDto {
  /** Name, 1 to 64 characters, unique among ratings and tags. */
  @IsText(NAME) name!: string;
  /** Least number, included. Absent or null: any; then there is no `max` either. */
  @IsOptional() @IsNumber({ min: -MAX_NUMBER, max: MAX_NUMBER }) min?: number | null;
  /** Largest number, included, above `min`. Absent or null: any. */
  @IsOptional() @IsNumber({ min: -MAX_NUMBER, max: MAX_NUMBER }) max?: number | null;
}

/** A server of one's own that is asked for a verdict of each call. */
export class HttpScorerDto {
  /** Address that calls are sent to, `http` or `https`, of a host that the operator allows, 1 to 2,048 characters. */
  @IsText({ min: 1, max: 2_048 }) url!: string;
  /** Numbers that it finds, at most 8. Absent or null: none; then there are tags. */
  @IsOptional() @NestedList(() => HttpRatingDto, MAX_RATINGS) ratings?: HttpRatingDto[] | null;
  /** Names of what it says is so or not, 1 to 64 characters, at most 16. Absent or null: none; then there are ratings. */
  @IsOptional() @IsTextList({ ...NAME, maxItems: MAX_TAGS }) tags?: string[] | null;
  /** Milliseconds that an answer may take, 1 to 60,000. Absent or null: 10,000. */
  @IsOptional() @IsInteger({ min: 1, max: 60_000 }) timeout_ms?: number | null;
}

/** What a scorer does by itself, without code of its user. */
export class ScorerDefinitionDto {
  /**
   * Kind: `check`, a rule that is computed; `llm`, a model that is asked; `http`, a server of one's own; or `pairwise`, a model
   * that compares the answer with another one.
   */
  @IsWord(SCORER_KINDS) kind!: ScorerKind;
  /** The rule of the kind `check`. Absent or null: it is of another kind. */
  @IsOptional() @Nested(() => CheckDto) check?: CheckDto | null;
  /** The judge of the kind `llm`. Absent or null: it is of another kind. */
  @IsOptional() @Nested(() => JudgeDto) llm?: JudgeDto | null;
  /** The server of the kind `http`. Absent or null: it is of another kind. */
  @IsOptional() @Nested(() => HttpScorerDto) http?: HttpScorerDto | null;
  /** The comparison of the kind `pairwise`. Absent or null: it is of another kind. */
  @IsOptional() @Nested(() => PairwiseDto) pairwise?: PairwiseDto | null;
}
