import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Constrained } from '../schema/constraint.js';
import { eitherOf } from '../schema/either-of.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  mapRule,
  numberRule,
  textRule,
} from '../validation/rules.js';
import { CompareCallsDto, CompareSliceDto } from './compare.dto.js';
import { JudgeTruthDto } from './reports.dto.js';

export const GATE_STATUSES = ['open', 'decided', 'cancelled', 'failed'] as const;
export type GateStatus = (typeof GATE_STATUSES)[number];
export const GATE_VERDICTS = ['promote', 'reject', 'undecided', 'needs_labels'] as const;
export type GateVerdict = (typeof GATE_VERDICTS)[number];
export const GATE_REASONS = [
  ...(['gain', 'no_gain', 'guard_broken', 'reward_hacked', 'slice_worse'] as const),
  ...(['guard_unproven', 'guard_undefined', 'pairs_used_up', 'too_few_pairs', 'uncorrected', 'advisory'] as const),
] as const;
export type GateReason = (typeof GATE_REASONS)[number];
export const GATE_BASES = ['fact', 'people', 'corrected', 'judge'] as const;
export type GateBasis = (typeof GATE_BASES)[number];
export const GUARD_STATES = ['holds', 'broken', 'unproven', 'undefined'] as const;
export type GuardState = (typeof GUARD_STATES)[number];

const MAX_NAME = 128;
const MAX_METRIC = 1_024;
const MAX_GUARDS = 20;
const MAX_SLICES = 20;
const MAX_MARGIN = 1e12;
const MAX_SCALE = 1e12;
const SIDES = 2;

/** A score that a training was rewarded by, beside the metric of the gate. */
export class GateRewardDto {
  /** The score, as `scores.reward.value`, of the scale of the gate's metric. */
  @IsText({ min: 1, max: MAX_METRIC }) metric!: string;
  /** By how much more it may gain than the metric, in shares of the scale, 0 to 1. Absent or null: 0.1. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) max_gap?: number | null;
}

/** By what a gate decides. */
export class GateSettingsDto {
  /** The score that decides, as `scores.helpful.helpful`. A failed answer has the worst score. */
  @IsText({ min: 1, max: MAX_METRIC }) metric!: string;
  /** Least and largest score, within ±1e12. Absent or null: as the project's scorer of that name says, else 0 to 1. */
  @IsOptional()
  @fromRule(listRule(numberRule({ min: -MAX_SCALE, max: MAX_SCALE }), { min: SIDES, max: SIDES }))
  scale?: number[] | null;
  /** Whether less is better. Absent or null: false. */
  @IsOptional() @IsFlag() lower_is_better?: boolean | null;
  /** Whether the score is a fact and nobody's opinion. Hone's own checks are known. Absent or null: false. */
  @IsOptional() @IsFlag() fact?: boolean | null;
  /** Where people's labels of the same are, which correct a judge's score. Not with `fact`. Absent or null: there are none. */
  @IsOptional() @Nested(() => JudgeTruthDto) truth?: JudgeTruthDto | null;
  /** Share of the pairs that people judge, drawn by chance, 0.1 to 1; with 1 they alone decide. Absent or null: 0.25. */
  @IsOptional() @IsNumber({ min: 0.1, max: 1 }) label_share?: number | null;
  /** Least gain worth a promotion, in shares of the scale, 0 to 1. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) min_gain?: number | null;
  /** Chance to promote a candidate that gains no more, however often the gate is looked at, 0.0001 to 0.2. Absent or null: 0.05. */
  @IsOptional() @IsNumber({ min: 0.0001, max: 0.2 }) alpha?: number | null;
  /** Pairs from one look to the next, 10 to 1,000. Absent or null: 25. */
  @IsOptional() @IsInteger({ min: 10, max: 1_000 }) look_every?: number | null;
  /** Most pairs; then the current one stays. 50 to 5,000. Absent or null: 600. */
  @IsOptional() @IsInteger({ min: 50, max: 5_000 }) max_pairs?: number | null;
  /** Predictions that a row needs on both sides before it counts, 1 to 20. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: 20 }) trials?: number | null;
  /**
   * What must not become worse -> largest loss that is accepted, at most 20: `length`, `cost_usd`, `tokens` and `latency_ms`
   * as shares of the baseline's mean; `slow`, `failed`, `refusals`, `praise`, `bullets` and `copies` as shares of the answers;
   * other scores, `scores.…`, in their unit. A promotion needs proof of each that is named. Absent or null: `length` 0.25,
   * `slow` 0.1, `failed` 0.05, `refusals` 0.05, and `praise`, `bullets` and `copies` 0.1, of which it is enough that nothing
   * shows the opposite, but where a judge decides alone.
   */
  @IsOptional() @fromRule(mapRule(numberRule({ min: 0, max: MAX_MARGIN }))) guards?: Record<string, number> | null;
  /** Guards of these defaults that are left out, as `bullets` where lists are what you want. Absent or null: none. */
  @IsOptional() @IsTextList({ min: 1, max: MAX_METRIC, maxItems: MAX_GUARDS }) without_guards?: string[] | null;
  /** Parts of the rows in which the metric must not become worse, at most 20, none named as a guard. Absent or null: none. */
  @IsOptional() @NestedList(() => CompareSliceDto, MAX_SLICES) slices?: CompareSliceDto[] | null;
  /** Largest loss that is accepted in a slice, in shares of the scale, 0 to 1. Absent or null: 0.1. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) slice_margin?: number | null;
  /** What the candidate was rewarded by while it was trained. Absent or null: nothing is known of it. */
  @IsOptional() @Nested(() => GateRewardDto) reward?: GateRewardDto | null;
  /** Whether a judge that no label corrects, or that agrees too little with people, may decide. It is recorded. Absent or null: false. */
  @IsOptional() @IsFlag() accept_uncorrected?: boolean | null;
}

/** Body of `POST /evaluation/gates`. */
@Constrained({ schema: eitherOf('runs', 'calls') })
@Example({
  project_id: 'acme/demo',
  runs: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', '019bc11a-0200-7c41-8e0f-6a1b2c3d4e5f'],
  metric: 'scores.helpful.helpful',
  scale: [1, 5],
  truth: { feedback_type: 'hone.annotation.quality' },
  guards: { length: 0.25 },
})
export class GateCreateDto extends GateSettingsDto {
  /** Project `<entity>/<project>` of runs and calls. */
  @IsProjectId() project_id!: string;
  /** Name, 1 to 128 characters. Absent or null: the metric's. */
  @IsOptional() @IsText({ min: 1, max: MAX_NAME }) name?: string | null;
  /**
   * Evaluation runs: the baseline's, then the candidate's, by ids or refs of their calls. They may still run, or be of an
   * evaluation of the server that waits for its turn. Absent or null: `calls`.
   */
  @IsOptional()
  @fromRule(listRule(textRule({ min: 1, max: 512 }), { min: SIDES, max: SIDES }))
  runs?: string[] | null;
  /** Live calls in place of runs: the baseline's, then the candidate's, paired by what was asked. New ones count as they come. Absent or null: `runs`. */
  @IsOptional() @NestedList(() => CompareCallsDto, SIDES, SIDES) calls?: CompareCallsDto[] | null;
}

/** Query of `GET /evaluation/gates`. */
@AcceptsUnknownFields()
@Example({ project_id: 'acme/demo' })
export class GatesQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** The `next_cursor` of the page before. Absent: the newest gates. */
  @IsOptional() @IsUuid() cursor?: string;
}

/** A mean with its interval, which holds at every look. */
export class GateIntervalDto {
  /** Mean of the values so far. */
  @IsNumber() estimate!: number;
  /** Lower end. */
  @IsNumber() low!: number;
  /** Upper end. */
  @IsNumber() high!: number;
}

/** What is known of a guard. */
export class GateGuardDto {
  /** As `length`, `scores.polite` or the name of a slice. */
  @IsText() name!: string;
  /** Largest loss that is accepted. */
  @IsNumber() margin!: number;
  /** Whether a promotion needs proof that it holds. */
  @IsFlag() needs_proof!: boolean;
  /** `holds` and `broken` are proven; `undefined`: too few values. */
  @IsWord(GUARD_STATES) state!: GuardState;
  /** The mean loss; of a share of the baseline's mean, what is beyond the margin, in the unit of the values. Null: too few values. */
  @IsOptional() @Nested(() => GateIntervalDto) loss!: GateIntervalDto | null;
}

/** What was known after some pairs. */
export class GateLookDto {
  /** Pairs that counted. */
  @IsInteger({ min: 0 }) pairs!: number;
  /** Those of them that people judged. */
  @IsInteger({ min: 0 }) labels!: number;
  /** How much better the candidate is, in shares of the scale. */
  @Nested(() => GateIntervalDto) gain!: GateIntervalDto;
}

/** Rows of both sides that are no pairs, and labels that do not count. */
export class GateLeftOutDto {
  /** One side has no score though its answer did not fail. */
  @IsInteger({ min: 0 }) no_score!: number;
  /** A score lies beyond the scale. */
  @IsInteger({ min: 0 }) off_scale!: number;
  /** Answers whose newest label is no number, or lies beyond the scale. A newer one within it counts. */
  @IsInteger({ min: 0 }) labels_off_scale!: number;
}

/** How many pairs people have to judge before a gate can decide. */
export class GateLabelPlanDto {
  /** Half-width that it is planned for, in shares of the scale: half of the gain that was seen, at least 0.05. */
  @IsNumber() width!: number;
  /** Pairs to judge, if people alone decide. Null: not even all pairs are enough. */
  @IsOptional() @IsInteger({ min: 2 }) labels!: number | null;
}

/** Whoever acted on a gate, or did something to it. */
export class GateActDto {
  /** When it was done. */
  @IsDateTime() at!: string;
  /** `cancelled`, or what a pipeline did, as `promoted`. */
  @IsText() act!: string;
  /** Id of the user. Null: nobody; the service did. */
  @IsOptional() @IsUuid() by!: string | null;
  /** As what it was promoted, or by which pipeline. Null: nothing more is to say. */
  @IsOptional() @IsText() detail!: string | null;
}

/** A decision between a baseline and a candidate, with all that it was made of. */
export class GateDto {
  /** Its id. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** What it is called. */
  @IsText() name!: string;
  /** `failed`: it cannot go on, and `error` says why. */
  @IsWord(GATE_STATUSES) status!: GateStatus;
  /** Null: none yet. */
  @IsOptional() @IsWord(GATE_VERDICTS) verdict!: GateVerdict | null;
  /** Null: there is no verdict. */
  @IsOptional() @IsWord(GATE_REASONS) reason!: GateReason | null;
  /** What it says by now, in one sentence. */
  @IsText() sentence!: string;
  /** Guards that are the reason. */
  @IsTextList() reason_guards!: string[];
  /** Why it failed. Null: it did not. */
  @IsOptional() @IsText() error!: string | null;
  /** What it was asked, with all defaults filled in. */
  @Nested(() => GateCreateDto) settings!: GateCreateDto;
  /** What the differences are made of: facts, people's labels of all pairs, a judge that labels correct, or a judge alone. Null: nothing was read yet. */
  @IsOptional() @IsWord(GATE_BASES) basis!: GateBasis | null;
  /** Pairs that were read. */
  @IsInteger({ min: 0 }) pairs!: number;
  /** Pairs that people are asked to judge. */
  @IsInteger({ min: 0 }) labels_asked!: number;
  /** Those of them that they judged. */
  @IsInteger({ min: 0 }) labels!: number;
  /** Ids of the first calls whose labels the gate waits for, at most 20. */
  @IsTextList() awaited_calls!: string[];
  /** Annotation queue of the calls that people are asked to judge. Null: there is none; feedback comes in other ways, if any. */
  @IsOptional() @IsText() queue_id!: string | null;
  /** All looks, the first one first. */
  @NestedList(() => GateLookDto) looks!: GateLookDto[];
  /** What must not become worse, after the last look. */
  @NestedList(() => GateGuardDto) guards!: GateGuardDto[];
  /** What does not count. */
  @Nested(() => GateLeftOutDto) left_out!: GateLeftOutDto;
  /** What is missing where the verdict is `needs_labels`. Null: nothing, or nobody knows. */
  @IsOptional() @Nested(() => GateLabelPlanDto) label_plan!: GateLabelPlanDto | null;
  /** What was done, the first act first. */
  @NestedList(() => GateActDto) acts!: GateActDto[];
  /** Id of the user who made it. */
  @IsUuid() created_by!: string;
  /** When it was made. */
  @IsDateTime() created_at!: string;
  /** When it ended. Null: it is open. */
  @IsOptional() @IsDateTime() ended_at!: string | null;
}

/** Gates of a project, the newest first. */
export class GatePageDto {
  /** At most 50. */
  @NestedList(() => GateDto) gates!: GateDto[];
  /** Gives the next page. Null: this is the last one. */
  @IsOptional() @IsUuid() next_cursor!: string | null;
}
