import { Injectable } from '@nestjs/common';
import type { ProjectStatsDto, RetentionDto, RetentionUpdateDto } from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';

import { ProjectStatsRepository } from './project-stats.repository.js';
import { SettingsRepository } from './settings.repository.js';

@Injectable()
export class ProjectSettingsService {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly statistics: ProjectStatsRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async stats(caller: Principal, projectId: string): Promise<ProjectStatsDto> {
    return this.statistics.find(await this.access.getReadable(caller, 'trace', projectId));
  }

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async readRetention(caller: Principal, projectId: string): Promise<RetentionDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    return { retention_days: await this.settings.findRetentionDays(projectRowId) };
  }

  /** Owners only: calls that are too old are deleted within the hour. @throws AccessDeniedError, ProjectNotFoundError */
  async updateRetention(caller: Principal, { project_id, retention_days }: RetentionUpdateDto): Promise<RetentionDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'owner');
    await this.settings.setRetentionDays(projectRowId, retention_days, caller.userId);
    return { retention_days };
  }
}
