import { ownProjectOf, type Principal, ProjectAccess } from '@hone/auth';
import type { UsageQueryDto, UsageReportDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { assertRowCount, readUsageQuery } from './usage-query.js';
import { toUsageCsv, toUsageReportDto } from './usage-report.mapper.js';
import { UsageReportRepository } from './usage-report.repository.js';

/** A report in the requested format. */
export interface UsageAnswer {
  contentType: string;
  body: UsageReportDto | string;
}

@Injectable()
export class UsageReportService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly usage: UsageReportRepository,
  ) {}

  /**
   * Returns the usage of a project; zeros while the key's own project has had no request.
   *
   * @param accept the `Accept` header: `text/csv` returns CSV, anything else JSON
   * @throws ValidationError a wrong parameter, or too many rows of two groups
   * @throws AccessDeniedError the caller may not read the project
   * @throws ProjectNotFoundError it does not exist
   */
  async read(caller: Principal, query: UsageQueryDto, accept: string | undefined): Promise<UsageAnswer> {
    const wanted = readUsageQuery(query, ownProjectOf(caller));
    const projectRowId = await this.access.getReadableOrOwn(caller, 'inference', wanted.projectId);
    const groups = projectRowId === null ? [] : await this.usage.query(projectRowId, wanted);
    if (wanted.thenBy !== null) assertRowCount(groups.length);
    const report = toUsageReportDto(wanted, groups);
    return accept?.includes('text/csv')
      ? { contentType: 'text/csv; charset=utf-8', body: toUsageCsv(report) }
      : { contentType: 'application/json; charset=utf-8', body: report };
  }
}
