import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { patternProblem } from '@hone/calls/redaction';
import type {
  CallLoggingDto,
  CallLoggingUpdateDto,
  ProjectStatsDto,
  RetentionDto,
  RetentionUpdateDto,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { expiredAfter, ExpiredCallsRepository } from '../erasure/expired-calls.repository.js';
import { ProjectStatsRepository } from './project-stats.repository.js';
import { SettingsRepository } from './settings.repository.js';

@Injectable()
export class ProjectSettingsService {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly expired: ExpiredCallsRepository,
    private readonly statistics: ProjectStatsRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async stats(caller: Principal, projectId: string): Promise<ProjectStatsDto> {
    return this.statistics.find(await this.access.getReadable(caller, 'trace', projectId));
  }

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async readCallLogging(caller: Principal, projectId: string): Promise<CallLoggingDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    return this.settings.findCallLogging(projectRowId);
  }

  /**
   * Owners only: the gateway obeys within a second.
   *
   * @throws ValidationError a pattern does not compile
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async updateCallLogging(caller: Principal, body: CallLoggingUpdateDto): Promise<CallLoggingDto> {
    const { project_id, log_calls, redact } = body;
    assertPatterns(redact?.patterns ?? []);
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'owner');
    return this.database.transaction(async () => {
      await this.settings.setCallLogging(projectRowId, log_calls, redact, caller.userId);
      const now = await this.settings.findCallLogging(projectRowId);
      await this.audit.addOf(caller, project_id, 'call_logging.put', {
        log_calls: now.log_calls,
        redacted_paths: now.redact?.paths.length ?? 0,
        redacted_patterns: now.redact?.patterns.length ?? 0,
      });
      return now;
    });
  }

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async readRetention(caller: Principal, projectId: string): Promise<RetentionDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    return { retention_days: await this.settings.findRetentionDays(projectRowId) };
  }

  /**
   * Owners only: calls that are too old are deleted within the hour. A dry run counts these, and changes nothing.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async updateRetention(caller: Principal, body: RetentionUpdateDto): Promise<RetentionDto> {
    const { project_id, retention_days, dry_run } = body;
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'owner');
    if (!dry_run) {
      await this.database.transaction(async () => {
        const before = await this.settings.findRetentionDays(projectRowId);
        await this.settings.setRetentionDays(projectRowId, retention_days, caller.userId);
        await this.audit.addOf(caller, project_id, 'retention.put', { days: retention_days, days_before: before });
      });
      return { retention_days };
    }
    const { calls, bytes } =
      retention_days === null
        ? { calls: 0, bytes: 0 }
        : await this.expired.count(expiredAfter(projectRowId, retention_days));
    return { retention_days, expired_calls: calls, expired_size_bytes: bytes };
  }
}

function assertPatterns(patterns: readonly string[]): void {
  const issues = patterns.flatMap((pattern, index) => {
    const problem = patternProblem(pattern);
    if (problem === null) return [];
    const loc = ['body', 'redact', 'patterns', index];
    return [
      {
        loc,
        msg: `Input should be a regular expression of RE2: ${problem.slice(0, 200)}`,
        type: 'value_error' as const,
      },
    ];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}
