import { type Principal, ProjectAccess } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import type { CallStatsDto, CallStatsResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { TimeRanges } from '../../time-buckets/time-ranges.js';
import { CallStatsRepository } from './call-stats.repository.js';

@Injectable()
export class CallStatsService {
  constructor(
    private readonly statistics: CallStatsRepository,
    private readonly ranges: TimeRanges,
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
    const range = this.ranges.read(body);
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    await this.ranges.assertTimezone(range);
    const buckets =
      projectRowId === null
        ? []
        : await this.statistics.list(await this.selector.within(projectRowId, selected), range);
    const { start, end, granularitySeconds: granularity, timezone } = range;
    return { start: start.toISOString(), end: end.toISOString(), granularity, timezone, buckets };
  }
}
