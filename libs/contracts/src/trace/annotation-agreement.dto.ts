import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

/** How values compare: equal or not, by their order, by their distance. */
export const RATING_LEVELS = ['nominal', 'ordinal', 'interval'] as const;

/** Query of `GET /annotation_queues/{queue_id}/agreement`. */
@Example({ project_id: 'acme/demo', name: 'quality', level: 'ordinal' })
export class AgreementQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the annotation, as in the type `hone.annotation.<name>`, 1 to 128 characters. */
  @IsText({ min: 1, max: 128 }) name!: string;
  /**
   * How Krippendorff's alpha compares values: `nominal` (equal or not), `ordinal` (by rank) or `interval` (by distance).
   * On the last two, values that are no numbers do not count. Absent: `nominal`.
   */
  @MayOmit() @IsWord(RATING_LEVELS) level?: (typeof RATING_LEVELS)[number];
}

/** How well two annotators agree. */
export class AnnotatorPairDto {
  /** Id of one annotator. */
  @IsText() a!: string;
  /** Id of the other one, the greater of both ids. */
  @IsText() b!: string;
  /** Items that both have rated. */
  @IsInteger({ min: 1 }) n!: number;
  /**
   * Cohen's kappa, -1 to 1, where 0 is what chance gives. Null: undefined, because both use one and the same value alone.
   */
  @IsOptional() @IsNumber({ min: -1, max: 1 }) cohen_kappa!: number | null;
}

/**
 * Answer of `GET /annotation_queues/{queue_id}/agreement`. Ratings are the values of `hone.annotation.<name>` with this
 * `queue_id`, the newest of each annotator for each item in the queue; values of more than 256 KiB do not count.
 */
export class AgreementDto {
  /** Items with a rating. */
  @IsInteger({ min: 0 }) items!: number;
  /** Annotators with a rating. */
  @IsInteger({ min: 0 }) annotators!: number;
  /** Every two annotators who have rated an item in common, by their ids. */
  @NestedList(() => AnnotatorPairDto) pairs!: AnnotatorPairDto[];
  /**
   * Fleiss' kappa over the items with the commonest number of ratings of at least two. Null: undefined, because there are
   * none, or all their ratings are equal.
   */
  @IsOptional() @IsNumber({ max: 1 }) fleiss_kappa!: number | null;
  /**
   * Krippendorff's alpha over the items with at least two ratings. Null: undefined, because there are none, or all their
   * ratings are equal.
   */
  @IsOptional() @IsNumber({ max: 1 }) krippendorff_alpha!: number | null;
  /** Ids of the items with different ratings, in the order of the queue. */
  @IsTextList() disagreements!: string[];
}
