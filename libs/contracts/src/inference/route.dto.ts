import { IsOptional } from 'class-validator';

import { Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { DispatchLimitsDto } from './dispatch-limits.dto.js';

const MODEL_ID = { min: 1, max: 512 };

/** A target of a route: one model at one upstream. */
export class RouteTargetDto {
  /** Name of an upstream. */
  @IsText({ min: 1 }) upstream!: string;
  /** Name of a model at that upstream. */
  @IsText({ min: 1 }) model!: string;
  /** Share of the load within its tier. Default 1. */
  @IsOptional() @IsNumber({ min: 0.001, max: 1_000_000 }) weight?: number | null;
  /** Its tier: 0 is tried first. Default 0. */
  @IsOptional() @IsInteger({ min: 0, max: 1_000 }) priority?: number | null;
}

/** USD per million tokens, and per image, character or minute. */
export class RoutePriceDto {
  /** Of prompt tokens, USD per million. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) prompt?: number | null;
  /** Of cached prompt tokens. Default: as `prompt`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) cached?: number | null;
  /** Of prompt tokens that were written into a cache. Default: as `prompt`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) cache_write?: number | null;
  /** Of completion tokens, USD per million. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) completion?: number | null;
  /** Of completion tokens spent on reasoning. Default: as `completion`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) reasoning?: number | null;
  /** Of one image that a model made, USD, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000 }) image?: number | null;
  /** Of text that a model spoke, USD per million characters, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) characters?: number | null;
  /** Of one minute of audio that a model wrote down, USD, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000 }) minute?: number | null;
}

/** Which answers of a route equal requests get again. */
export class RouteCacheDto {
  /** How long an answer is given again, in seconds. */
  @IsInteger({ min: 1, max: 31_536_000 }) ttl_s!: number;
  /** Most bytes of all answers together, in each gateway process. Default 67,108,864. */
  @IsOptional() @IsInteger({ min: 1_024, max: 2 ** 40 }) max_bytes?: number | null;
  /** Who shares answers: all keys of a project, or each `key` alone. Default `project`. */
  @IsOptional() @IsWord(['project', 'key']) scope?: 'project' | 'key' | null;
}

/** A model id that callers may send, and the targets that answer it. */
export class RouteDto extends DispatchLimitsDto {
  /** The model id that callers send; unique among ids and aliases. */
  @IsText(MODEL_ID) id!: string;
  /** More ids with the same meaning. */
  @IsOptional() @IsTextList(MODEL_ID) aliases?: string[] | null;
  /** How a target of a tier is chosen. Default `least_busy`. */
  @IsOptional() @IsWord(['least_busy', 'weighted']) strategy?: 'least_busy' | 'weighted' | null;
  /** `buffered`: a stream begins once its answer is known to be whole. Default `passthrough`. */
  @IsOptional() @IsWord(['passthrough', 'buffered']) stream_guard?: 'passthrough' | 'buffered' | null;
  /** At least one. */
  @NestedList(() => RouteTargetDto) targets!: RouteTargetDto[];
  /**
   * Absent or null: where the first target is at a provider of hosted models, the price of its model by the built-in
   * list, if it is there; else nothing is charged. An empty price charges nothing.
   */
  @IsOptional() @Nested(() => RoutePriceDto) price?: RoutePriceDto | null;
  /** Callers may bring a chat template of their own. Default false. */
  @IsOptional() @IsFlag() trust_chat_template?: boolean | null;
  /** Equal requests get the same answer again. Null: each is sent to a target. */
  @IsOptional() @Nested(() => RouteCacheDto) cache?: RouteCacheDto | null;
  /** Another target of the route may answer for a trained model. Default false. */
  @IsOptional() @IsFlag() trained_fallback?: boolean | null;
}
