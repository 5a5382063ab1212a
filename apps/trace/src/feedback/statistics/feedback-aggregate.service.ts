import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type FeedbackAggregateBucketDto,
  type FeedbackAggregateDto,
  type FeedbackAggregateResultDto,
  setKey,
  valueIssue,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { bucketSeconds } from '../../time-buckets/bucket-seconds.js';
import { type AggregateRow, FeedbackAggregateRepository } from './feedback-aggregate.repository.js';

/** Buckets, groups, tags and ratings that one answer may have together. */
const MAX_ROWS = 100_000;

@Injectable()
export class FeedbackAggregateService {
  constructor(
    private readonly aggregates: FeedbackAggregateRepository,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * Counts of tags and sums of ratings by time. An unknown project has none.
   *
   * @throws ValidationError an end before the start, or more tags and groups than an answer may have
   * @throws AccessDeniedError
   */
  async read(caller: Principal, body: FeedbackAggregateDto): Promise<FeedbackAggregateResultDto> {
    const { after_ms, before_ms, time_bucket_seconds } = body;
    if (before_ms < after_ms)
      throw new ValidationError([valueIssue('The end should not be before the start', ['body', 'before_ms'])]);
    const seconds = time_bucket_seconds ? bucketSeconds((before_ms - after_ms) / 1_000, time_bucket_seconds) : null;
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    const rows = projectRowId === null ? [] : await this.aggregates.list(projectRowId, body, seconds, MAX_ROWS + 1);
    if (rows.length > MAX_ROWS)
      throw new ValidationError([
        valueIssue(`There are more than ${MAX_ROWS} tags, ratings and groups to count`, [
          'body',
          'time_bucket_seconds',
        ]),
      ]);
    return { after_ms, before_ms, time_bucket_seconds: seconds, buckets: toBuckets(rows, body) };
  }
}

/** @param rows those of one bucket and group beside each other */
function toBuckets(rows: AggregateRow[], { group_by }: FeedbackAggregateDto): FeedbackAggregateBucketDto[] {
  const buckets: FeedbackAggregateBucketDto[] = [];
  let last: AggregateRow | undefined;
  for (const row of rows) {
    const isSame = last?.bucket?.getTime() === row.bucket?.getTime() && last?.scorerId === row.scorerId;
    if (!last || !isSame) {
      buckets.push({
        time_bucket_start_ms: row.bucket?.getTime() ?? null,
        group: group_by?.includes('scorer_id') ? { scorer_id: row.scorerId } : {},
        ...{ total_count: 0, scored_count: 0, tag_counts: {}, rating_sums: {}, rating_counts: {} },
      });
      last = row;
    }
    add(buckets.at(-1) as FeedbackAggregateBucketDto, row);
  }
  return buckets;
}

function add(bucket: FeedbackAggregateBucketDto, { kind, name, count, sum }: AggregateRow): void {
  switch (kind) {
    case 'records':
      bucket.total_count = Number(count);
      bucket.scored_count = sum;
      return;
    case 'tag':
      setKey(bucket.tag_counts, name, Number(count));
      return;
    case 'rating':
      setKey(bucket.rating_counts, name, Number(count));
      setKey(bucket.rating_sums, name, sum);
  }
}
