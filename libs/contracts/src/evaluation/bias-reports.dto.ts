import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText, IsTextList, IsWord, listRule, wordRule } from '../validation/rules.js';
import { JudgedCriterionDto } from './reports.dto.js';
import { SCORING_STATUSES, type ScoringStatus } from './scorings.dto.js';

export const BIAS_PROBES = ['longer', 'bullets', 'flattery', 'repeat'] as const;
export type BiasProbe = (typeof BIAS_PROBES)[number];
export const BIAS_REPORT_STATUSES = ['running', 'done'] as const;
export type BiasReportStatus = (typeof BIAS_REPORT_STATUSES)[number];

/** Body of `POST /evaluation/bias-reports`. */
@Example({
  project_id: 'acme/demo',
  scorer: 'helpful',
  criterion: 'helpful',
  truth: { feedback_type: 'hone.annotation.quality' },
  probe_calls: 50,
  max_cost_usd: 1,
})
export class BiasReportCreateDto extends JudgedCriterionDto {
  /**
   * Probes that ask the judge again, each about the same calls: `longer`, `bullets` and `flattery` change the answers without
   * making them better or worse, `repeat` does not change them. Each costs a judgement for each call. Absent or null: all
   * of a judge that is a model, none of a check.
   */
  @IsOptional() @fromRule(listRule(wordRule(BIAS_PROBES), { max: 4 })) probes?: BiasProbe[] | null;
  /** Ids of judged calls that probes ask about, at most 500: the same ones in later reports show drift. Absent or null: `probe_calls` of them are drawn. */
  @IsOptional() @IsTextList({ min: 1, max: 128, maxItems: 500 }) call_ids?: string[] | null;
  /** How many judged calls are drawn for probes, 2 to 500. Absent or null: 50. */
  @IsOptional() @IsInteger({ min: 2, max: 500 }) probe_calls?: number | null;
  /** Seed of that draw, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 2_147_483_647 }) seed?: number | null;
  /** Most US dollars to spend beyond what is in flight, above 0: probes have equal shares. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) max_cost_usd?: number | null;
  /** Model that judges, by whose family self-preference is told, 1 to 256 characters. Absent or null: as the scorer's definition names it. */
  @IsOptional() @IsText({ min: 1, max: 256 }) judge_model?: string | null;
}

/** A figure of bias with its confidence interval: 0 is none. */
export class BiasFigureDto {
  /** The figure. */
  @IsNumber() estimate!: number;
  /** Lower end. */
  @IsNumber() low!: number;
  /** Upper end. */
  @IsNumber() high!: number;
  /** Calls that it is of. */
  @IsInteger({ min: 0 }) calls!: number;
}

/** What a probe found. */
export class BiasProbeDto {
  /** The probe. */
  @IsWord(BIAS_PROBES) probe!: BiasProbe;
  /** Id of the scoring that asks: read, cancel or retry it as any other. */
  @IsUuid() scoring_id!: string;
  /** Status of that scoring. */
  @IsWord(SCORING_STATUSES) status!: ScoringStatus;
  /**
   * Mean change of the verdict by the probe, in the criterion's unit, with Student's t interval. Of `repeat` the change since the
   * stored verdict: drift, where the answer is the same. Null: fewer than two calls have both verdicts yet.
   */
  @IsOptional() @Nested(() => BiasFigureDto) change!: BiasFigureDto | null;
  /** Mean distance of the two verdicts, whichever is higher, in the criterion's unit. Null: as `change`. */
  @IsOptional() @Nested(() => BiasFigureDto) distance!: BiasFigureDto | null;
}

/** How a version of a judge may be biased. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  project_id: 'acme/demo',
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  criterion: 'helpful',
  level: 0.95,
  status: 'done',
  labels: 200,
  length: { estimate: 0.31, low: 0.18, high: 0.43, calls: 200 },
  self_preference: { estimate: 0.04, low: -0.1, high: 0.18, calls: 200 },
  judge_family: 'gpt',
  vote_spread: { estimate: 0.42, low: 0.38, high: 0.46, calls: 1_000 },
  order_swap: null,
  probes: [
    {
      probe: 'longer',
      scoring_id: '019bc119-0200-7a3e-9d2a-5f0e8a1b2c3d',
      status: 'done',
      change: { estimate: 0.35, low: 0.2, high: 0.5, calls: 50 },
      distance: { estimate: 0.41, low: 0.28, high: 0.54, calls: 50 },
    },
  ],
  probe_call_ids: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'],
  cost_usd: 0.12,
  created_at: '2026-01-15T10:00:05.000Z',
})
export class BiasReportDto {
  /** Id of the report. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsText() project_id!: string;
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** What is meant. */
  @IsText() criterion!: string;
  /** Share of samples whose intervals hold the true figure. */
  @IsNumber() level!: number;
  /** Whether probes still ask: `probes` has what they found by now. All other figures are of when the report was asked for. */
  @IsWord(BIAS_REPORT_STATUSES) status!: BiasReportStatus;
  /** Labelled calls that `length` and `self_preference` are of, the newest 1,000 at most. */
  @IsInteger({ min: 0 }) labels!: number;
  /**
   * Correlation of verdict and length of the answer (logarithm of its characters) given people's label, -1 to 1: above 0 the judge
   * likes long answers more than people do. Null: fewer than six labels, or all answers are of one length.
   */
  @IsOptional() @Nested(() => BiasFigureDto) length!: BiasFigureDto | null;
  /**
   * Correlation of the verdict with whether a model of the judge's own family answered, given people's label, -1 to 1: above 0 the judge
   * likes its own family more than people do. Null: fewer than six labels of calls with a model, or all or none are of its family.
   */
  @IsOptional() @Nested(() => BiasFigureDto) self_preference!: BiasFigureDto | null;
  /** The judge's family: the first word of its model's name, as `gpt` of `openai/gpt-5-mini`. Null: it is no model. */
  @IsOptional() @IsText() judge_family!: string | null;
  /** Mean standard deviation of the judge's votes about a call. Null: it votes once, or fewer than two calls are judged. */
  @IsOptional() @Nested(() => BiasFigureDto) vote_spread!: BiasFigureDto | null;
  /**
   * Of a judge of two answers: the share of verdicts that changed when the answers were swapped, 0 to 1, with Wilson's interval; each
   * was asked in both orders when it was made. Null: it judges one answer, or fewer than two calls are judged.
   */
  @IsOptional() @Nested(() => BiasFigureDto) order_swap!: BiasFigureDto | null;
  /** The probes, in the order in which they were asked for. */
  @NestedList(() => BiasProbeDto) probes!: BiasProbeDto[];
  /** Ids of the calls that probes ask about; erased calls leave it. */
  @IsTextList() probe_call_ids!: string[];
  /** Spent so far, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** When it was asked for, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}
