import { Injectable } from '@nestjs/common';
import { type CallStatsDto, type CallStatsResultDto, parseDateTime, valueIssue } from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';
import { ValidationError } from '@hone/platform';

import { CallSelector } from '../call-selector.js';
import { bucketSeconds } from './bucket-seconds.js';
import { CallStatsRepository } from './call-stats.repository.js';

@Injectable()
export class CallStatsService {
  constructor(
    private readonly statistics: CallStatsRepository,
    private readonly selector: CallSelector,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * Counts, latencies, errors and usage of calls by time. An unknown project has no calls.
   *
   * @throws ValidationError a bad expression, an end before the start, an unknown time zone
   * @throws AccessDeniedError
   */
  async list(caller: Principal, body: CallStatsDto): Promise<CallStatsResultDto> {
    const selected = this.selector.compile(body);
    const start = parseDateTime(body.start) as Date;
    const end = body.end ? (parseDateTime(body.end) as Date) : new Date();
    if (end < start) throw new ValidationError([valueIssue('The end should not be before the start', ['body', 'end'])]);
    const timezone = body.timezone ?? 'UTC';
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (!(await this.statistics.knowsTimezone(timezone)))
      throw new ValidationError([valueIssue(`There is no time zone '${timezone}'`, ['body', 'timezone'])]);
    const granularitySeconds = bucketSeconds((end.getTime() - start.getTime()) / 1_000, body.granularity ?? undefined);
    const range = { start, end, granularitySeconds, timezone };
    const buckets = projectRowId === null ? [] : await this.statistics.list({ ...selected, projectRowId }, range);
    return { start: start.toISOString(), end: end.toISOString(), granularity: granularitySeconds, timezone, buckets };
  }
}
