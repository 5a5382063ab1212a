import { parseDateTime, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { bucketSeconds } from './bucket-seconds.js';
import type { TimeRange } from './time-buckets.sql.js';
import { TimeZonesRepository } from './time-zones.repository.js';

/** What bodies say of the time that they mean. */
interface RangeBody {
  start: string;
  end?: string | null;
  granularity?: number | null;
  timezone?: string | null;
}

/** Reads the time that a body means. */
@Injectable()
export class TimeRanges {
  constructor(private readonly timeZones: TimeZonesRepository) {}

  /** Before access is checked: a wrong order is a 422 for everybody. @throws ValidationError */
  read(body: RangeBody): TimeRange {
    const start = parseDateTime(body.start) as Date;
    const end = body.end ? (parseDateTime(body.end) as Date) : new Date();
    if (end < start) throw new ValidationError([valueIssue('The end should not be before the start', ['body', 'end'])]);
    const granularitySeconds = bucketSeconds((end.getTime() - start.getTime()) / 1_000, body.granularity ?? undefined);
    return { start, end, granularitySeconds, timezone: body.timezone ?? 'UTC' };
  }

  /** @throws ValidationError there is no such time zone */
  async assertTimezone({ timezone }: TimeRange): Promise<void> {
    if (!(await this.timeZones.has(timezone)))
      throw new ValidationError([valueIssue(`There is no time zone '${timezone}'`, ['body', 'timezone'])]);
  }
}
