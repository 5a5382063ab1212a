import { IsOptional } from 'class-validator';

import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { type JsonSchema, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { JudgeTruthDto, ScoredCallsDto } from './reports.dto.js';

export const UNCERTAINTIES = ['votes', 'scale', 'equal'] as const;
export type Uncertainty = (typeof UNCERTAINTIES)[number];

/** Most calls that a label queue draws. */
export const MAX_LABEL_QUEUE_SIZE = 5_000;

const isGiven = (field: string, type: 'number' | 'string' = 'number'): JsonSchema => ({
  properties: { [field]: { type } },
  required: [field],
});

/** Body of `POST /evaluation/label-queues`: `size` or `width` says how many calls are drawn; with `strata` it is `size`. */
@Constrained({
  schema: {
    oneOf: [isGiven('size'), isGiven('width')],
    not: { allOf: [isGiven('width'), isGiven('strata', 'string')] },
  },
})
@Example({
  project_id: 'acme/demo',
  scorer: 'helpful',
  criterion: 'helpful',
  truth: { feedback_type: 'hone.annotation.quality' },
  size: 100,
})
export class LabelQueueCreateDto extends ScoredCallsDto {
  /** Where the labels will be: an annotation, `hone.annotation.<name>`, whose field is in the project. */
  @Nested(() => JudgeTruthDto) truth!: JudgeTruthDto;
  /** Ids of the calls to draw from, at most 1,000. Absent or null: `filter` and `query` say which. */
  @IsOptional() @IsTextList({ min: 1, max: 128, maxItems: 1_000 }) call_ids?: string[] | null;
  /** Most judged calls to draw from, the newest first, 1 to 10,000. Absent or null: 10,000. Others have no chance, and reports by the drawn labels leave them out. */
  @IsOptional() @IsInteger({ min: 1, max: 10_000 }) limit?: number | null;
  /** How many calls are drawn on average, 1 to 5,000: each is drawn for itself. Absent or null: as many as `width` needs. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_LABEL_QUEUE_SIZE }) size?: number | null;
  /**
   * Half-width wanted, above 0: as many calls are drawn as reach it with these chances, by the labels that are there; of fewer than
   * 20 labels as many as `with_judge` of `POST /evaluation/label-plans`. Those that were drawn and labelled before count:
   * the chances of the calls without a label add up to what is missing. Absent or null: `size` says how many. With `strata` a 422.
   */
  @IsOptional() @IsNumber({ above: 0, max: 1e12 }) width?: number | null;
  /**
   * Field of the calls, such as `attributes.plan`, each value of which is a stratum: all get as many labels, as far as they have
   * calls. The 49 largest are told apart, the others are one. Absent or null: all calls are one. With `width` a 422.
   */
  @IsOptional() @IsText({ min: 1, max: 512 }) strata?: string | null;
  /** Seed of the draw, 0 to 2,147,483,647: the same seed draws the same of the same calls. Absent or null: another one each time. */
  @IsOptional() @IsInteger({ min: 0, max: 2_147_483_647 }) seed?: number | null;
  /** Name of the queue, 1 to 256 characters. Absent or null: made of scorer and criterion. */
  @IsOptional() @IsText({ min: 1, max: 256 }) name?: string | null;
}

/** Calls of a label queue that have one value of the field for strata. */
export class LabelStratumDto {
  /** The value as text, at most 256 characters. Null: the calls of all values that are not told apart. */
  @IsOptional() @IsText() value!: string | null;
  /** Calls to draw from. */
  @IsInteger({ min: 0 }) calls!: number;
  /** Calls that were drawn. */
  @IsInteger({ min: 0 }) drawn!: number;
}

/** Answer of `POST /evaluation/label-queues`: an annotation queue of drawn calls. */
@Example({
  queue_id: '019bc119-07d0-7c00-8000-000000000001',
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  criterion: 'helpful',
  seed: 7,
  uncertainty: 'votes',
  calls: 4_000,
  known: 0,
  drawn: 103,
  items: 103,
  least_chance: 0.0125,
  strata: [],
})
export class LabelQueueDto {
  /** Id of the annotation queue. */
  @IsText() queue_id!: string;
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** What is meant. */
  @IsText() criterion!: string;
  /** Seed of the draw. */
  @IsInteger() seed!: number;
  /**
   * What the chances follow: `votes`, how far the votes of the judge lie apart; `scale`, how near its rating is to the middle
   * of the scale; `equal`: neither is there, and all chances of a stratum are equal.
   */
  @IsWord(UNCERTAINTIES) uncertainty!: Uncertainty;
  /** Judged calls to draw from: each has a recorded chance. */
  @IsInteger({ min: 0 }) calls!: number;
  /** Calls of these that people had labelled already outside of label queues: their chance is 1, and nobody is asked again. */
  @IsInteger({ min: 0 }) known!: number;
  /** Calls that were drawn of the others. */
  @IsInteger({ min: 0 }) drawn!: number;
  /** Calls in the queue: those of the drawn that have no label yet. */
  @IsInteger({ min: 0 }) items!: number;
  /** Least chance of a call to be drawn: at least half of the chance that an equal draw of as many from its stratum has. */
  @IsNumber() least_chance!: number;
  /** The strata, the largest first. Empty: none were asked for. */
  @NestedList(() => LabelStratumDto) strata!: LabelStratumDto[];
}
