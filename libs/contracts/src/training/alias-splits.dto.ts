import { IsOptional } from 'class-validator';

import { CHECKPOINT_ALIAS } from '../names/checkpoint-alias.js';
import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText, textRule } from '../validation/rules.js';

/** The arm of the requests that the checkpoint of the alias answers. */
export const PRODUCTION_ARM = 'production';
/** The arm of the requests that were answered a second time, for nobody. */
export const SHADOW_ARM = 'shadow';
export const MAX_ARMS = 5;
/** A split gives away its threads in so many equal parts. The hash of a thread names its part, which never changes. */
export const SPLIT_PARTS = 1_000_000;

const OWN_ARMS = `^(?:${PRODUCTION_ARM}|${SHADOW_ARM})$`;
const MAX_USD = 1e6;

const NAME_SHAPE = new RegExp(CHECKPOINT_ALIAS);
const OWN_ARM = new RegExp(OWN_ARMS);

const ARM_NAME = textRule({
  shape: {
    matches: (text) => NAME_SHAPE.test(text) && !OWN_ARM.test(text),
    description: `1 to 64 of A-Z a-z 0-9 _ . -, a letter first, not ${PRODUCTION_ARM} or ${SHADOW_ARM}`,
    pattern: CHECKPOINT_ALIAS,
    except: OWN_ARMS,
    examples: ['candidate'],
  },
});

/** A model that answers a part of the requests. */
@Example({ name: 'candidate', model: 'hone-artifact:///acme/demo/agent:step12', weight: 0.05 })
export class SplitArmDto {
  /** Name by which calls say that this arm answered; threads stay with a name while its weight stays or grows. */
  @fromRule(ARM_NAME) name!: string;
  /** What answers: a ref of a model of the same project (a step, an alias, or its newest checkpoint), or the name of a route of the gateway. */
  @IsText({ min: 1, max: 512 }) model!: string;
  /** Share of the threads, 0 to 1, in millionths; 0: none. All weights add up to 1 at most; the alias's checkpoint has the rest. */
  @IsNumber({ min: 0, max: 1 }) weight!: number;
}

/** A model that answers requests a second time, after their callers have their answers. */
@Example({ model: 'hone-artifact:///acme/demo/agent:step12', share: 0.1, max_cost_usd_per_day: 5 })
export class SplitShadowPutDto {
  /** What answers: a ref of a model of the same project, or the name of a route of the gateway. */
  @IsText({ min: 1, max: 512 }) model!: string;
  /** Share of the requests that the alias's checkpoint answers, above 0, at most 1: drawn by a hash of split and request. */
  @IsNumber({ above: 0, max: 1 }) share!: number;
  /** Most US dollars to spend on a day (UTC) beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_USD }) max_cost_usd_per_day?: number | null;
}

/** Body of `PUT /v1/preview/models/{model_id}/aliases/{alias}/split`. It has an arm, or a shadow, or both. */
@Example({ arms: [{ name: 'candidate', model: 'hone-tiny', weight: 0.05 }] })
export class AliasSplitPutDto {
  /** Models that answer in place of the alias's checkpoint, at most 5, each for its share of the threads. */
  @NestedList(() => SplitArmDto, MAX_ARMS) arms!: SplitArmDto[];
  /** A model that answers a share of the requests a second time, for comparison alone. Absent or null: none. */
  @IsOptional() @Nested(() => SplitShadowPutDto) shadow?: SplitShadowPutDto | null;
  /** Version that the split must have until now, else 409 (compare-and-set). Null: there must be none. Absent: any. */
  @IsOptional() @IsInteger({ min: 1 }) if_version?: number | null;
}

/** The shadow of a split. */
export class SplitShadowDto {
  /** What answers a second time. */
  @IsText() model!: string;
  /** Share of the requests that the alias's checkpoint answers. */
  @IsNumber({ above: 0, max: 1 }) share!: number;
  /** Most US dollars to spend on a day (UTC). Null: no limit of its own. */
  @IsOptional() @IsNumber({ above: 0 }) max_cost_usd_per_day!: number | null;
  /** Spent since midnight (UTC), in US dollars, with what the requests under way may cost. */
  @IsNumber({ min: 0 }) spent_usd_today!: number;
}

/** Which models answer the requests that name an alias. */
export class AliasSplitDto {
  /** Id of the split; the same over all its versions. */
  @IsUuid() id!: string;
  /** Id of the model that has the alias. */
  @IsUuid() model_id!: string;
  /** The alias. */
  @IsText() alias!: string;
  /** Version of the split: 1, and 1 more with each change. */
  @IsInteger({ min: 1 }) version!: number;
  /** Models that answer in place of the alias's checkpoint. */
  @NestedList(() => SplitArmDto) arms!: SplitArmDto[];
  /** Share of the threads that stay with the alias's checkpoint, the arm `production`, 0 to 1. */
  @IsNumber({ min: 0, max: 1 }) production_weight!: number;
  /** A model that answers a share of the requests a second time. Null: none. */
  @IsOptional() @Nested(() => SplitShadowDto) shadow!: SplitShadowDto | null;
  /** When it was last changed, ISO 8601 in UTC. */
  @IsDateTime() updated_at!: string;
  /** Id of the user who did so. */
  @IsUuid() updated_by!: string;
}
