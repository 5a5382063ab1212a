import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText } from '../validation/rules.js';
import { CallFilterDto } from './call-queries.dto.js';
import { IsFacetFields } from './paging.dto.js';
import { CallConditionDto } from './query.dto.js';

/** Body of `POST /calls/facets`. */
@Example({
  project_id: 'acme/demo',
  filter: { trace_roots_only: true },
  query: { $expr: { $gt: [{ $getField: 'summary.hone.latency_ms' }, { $literal: 500 }] } },
  fields: ['op_name', 'summary.hone.status', 'summary.usage'],
  limit: 10,
})
export class CallFacetsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /**
   * Columns, or dotted paths into values, whose values are counted, 1 to 10. `summary.hone.trace.models`: the models that
   * any call of the trace used, which roots mostly do not use themselves.
   */
  @IsFacetFields() fields!: string[];
  /** Most values to answer of each field, 1 to 50. Absent or null: 10. */
  @IsOptional() @IsInteger({ min: 1, max: 50 }) limit?: number | null;
  /**
   * Most calls to read, 1 to 100,000: the newest of those that meet `filter` and those conditions of `query`, joined by
   * `$and`, that name no value, ask nothing of the trace, and no feedback that many calls have. The rest of `query` is
   * checked among these. Absent or null: 10,000.
   */
  @IsOptional() @IsInteger({ min: 1, max: 100_000 }) sample?: number | null;
}

/** How many calls have a value. */
export class FacetValueDto {
  /**
   * The value as text: strings as they are, numbers and booleans as JSON, lists as JSON. Where the field is an
   * object, its keys are its values, the first 100 of each call. Null: missing, null, or an object without keys.
   */
  @IsOptional() @IsText() value!: string | null;
  /** Calls that have it. */
  @IsInteger({ min: 1 }) count!: number;
}

/** The values of one field. */
export class FacetDto {
  /** The field, as it was asked for. */
  @IsText() field!: string;
  /** The most frequent values, these first; ties by value. Those of more than 256 characters are left out. */
  @NestedList(() => FacetValueDto) values!: FacetValueDto[];
  /** Sum of the counts of all values that are not among `values`. */
  @IsInteger({ min: 0 }) other!: number;
  /** Whether there are values that are not among `values`. */
  @IsFlag() truncated!: boolean;
}

/** Answer of `POST /calls/facets`. */
export class CallFacetsResultDto {
  /** Calls that were read, at most `sample`. */
  @IsInteger({ min: 0 }) scanned!: number;
  /** Whether there are older calls, which were not read: the counts are of the newest calls only. */
  @IsFlag() has_more!: boolean;
  /** When the oldest call that was read began, ISO 8601 in UTC. Null: none was read. */
  @IsOptional() @IsDateTime() oldest_started_at!: string | null;
  /** Calls among those read that match. */
  @IsInteger({ min: 0 }) count!: number;
  /** The values of each field, in the order asked for. */
  @NestedList(() => FacetDto) facets!: FacetDto[];
}
