import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { SearchStateRepository } from '@hone/call-queries';
import { CALL_SEARCH_BACKFILL, CallBackfillsRepository } from '@hone/calls';
import type { CallSearchDto, CallSearchUpdateDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { SettingsRepository } from '../settings/settings.repository.js';

/** Whether, and how far, the calls of a project are searchable. */
@Injectable()
export class CallSearchService {
  constructor(
    private readonly state: SearchStateRepository,
    private readonly backfills: CallBackfillsRepository,
    private readonly settings: SettingsRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async read(caller: Principal, projectId: string): Promise<CallSearchDto> {
    return this.find(await this.access.getReadable(caller, 'trace', projectId));
  }

  /**
   * Owners only. Off: what calls are found by is deleted soon. On: calls that are stored are added in the background.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async update(caller: Principal, { project_id, search }: CallSearchUpdateDto): Promise<CallSearchDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'owner');
    return this.database.transaction(async () => {
      const before = await this.settings.setSearch(projectRowId, search, caller.userId);
      if (search && !before) await this.backfills.request(projectRowId, CALL_SEARCH_BACKFILL);
      if (!search) await this.backfills.cancel(projectRowId, CALL_SEARCH_BACKFILL);
      await this.audit.addOf(caller, project_id, 'call_search.put', { search, search_before: before });
      return this.find(projectRowId);
    });
  }

  private async find(projectRowId: string): Promise<CallSearchDto> {
    const { isOn, isBuilding, waiting } = await this.state.find(projectRowId);
    const progress = isOn && isBuilding ? await this.backfills.progress(projectRowId, CALL_SEARCH_BACKFILL) : null;
    return {
      search: isOn,
      state: isOn ? (isBuilding ? 'building' : 'ready') : 'off',
      waiting_calls: isOn ? waiting : 0,
      building: progress && { done_calls: progress.doneCalls, total_calls: progress.totalCalls },
    };
  }
}
