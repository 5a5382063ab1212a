import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { ScorerDefinitionDto } from '../trace/scorer-definition.dto.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

export const VERDICT_STATES = ['done', 'skipped', 'failed'] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** Body of `POST /evaluation/scorers/try`. */
@Example({
  project_id: 'acme/demo',
  definition: { kind: 'check', check: { check: 'contains', value: 'Berlin' } },
  call_ids: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'],
})
export class TryScorerDto {
  /** Project `<entity>/<project>` of scorer and calls. */
  @IsProjectId() project_id!: string;
  /** A stored scorer: its ref, its id, or `<id>:<version>`. Absent or null: `definition` is tried. */
  @IsOptional() @IsText({ min: 1, max: 512 }) scorer?: string | null;
  /** A draft of a scorer. Absent or null: `scorer` is tried. */
  @IsOptional() @Nested(() => ScorerDefinitionDto) definition?: ScorerDefinitionDto | null;
  /** Ids of the calls that are judged, 1 to 20. */
  @IsTextList({ min: 1, max: 128, maxItems: 20 }) call_ids!: string[];
}

/** What a scorer found about a call. */
export class VerdictDto {
  /** Id of the call. */
  @IsText() call_id!: string;
  /** `done`; `skipped`: the call has nothing that the scorer judges; `failed`: there is no verdict. */
  @IsWord(VERDICT_STATES) state!: VerdictState;
  /** Why it was skipped or failed, as `missing_reference` or `judge_answered_nonsense`. Null: it was not. */
  @IsOptional() @IsText() code!: string | null;
  /** Name -> number. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'number' } }) ratings!: Record<string, number>;
  /** What is so. */
  @IsTextList() tags!: string[];
  /** Why, in the judge's words. Null: a check gives none. */
  @IsOptional() @IsText() reason!: string | null;
  /** Cost in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Standard deviation of each rating over the votes. Null: there was one vote. */
  @IsOptional()
  @IsJsonValue({ type: ['object', 'null'], additionalProperties: { type: 'number' } })
  spread!: Record<string, number> | null;
  /** What else it found: of `pairwise` what was answered in each order. Null: nothing. */
  @IsOptional() @IsJsonValue({ type: ['object', 'null'] }) details!: Record<string, unknown> | null;
}

/** Answer of `POST /evaluation/scorers/try`. */
export class TryScorerResultDto {
  /** A verdict of each call, in the order of `call_ids`. */
  @NestedList(() => VerdictDto) verdicts!: VerdictDto[];
  /** Cost of all in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** How many calls were judged. */
  @IsInteger({ min: 0 }) judged!: number;
}
