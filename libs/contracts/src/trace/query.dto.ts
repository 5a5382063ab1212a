import { IsJsonObject } from '../validation/rules.js';

/**
 * A condition on stored records: `{"$expr": E}`, E of `$and $or $not $eq $gt $gte $lt $lte $in $contains $convert
 * $size $getField $literal`. At most 32 levels, 1,000 nodes, 1,000 values in `$in`. What is inside `$expr` is checked
 * where it is turned into a condition, because the fields it may name differ.
 */
export class QueryDto {
  @IsJsonObject() $expr!: Record<string, unknown>;
}
