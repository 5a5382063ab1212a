import { type Principal, ProjectAccess } from '@hone/auth';
import type { CallsDeleteDto, CallsDeleteResultDto, CallUpdateDto, EmptyResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { CallNotFoundError } from '../call.errors.js';
import { CallChangeRepository } from './call-change.repository.js';
import { CallDeletion } from './call-deletion.js';

@Injectable()
export class CallChangeService {
  constructor(
    private readonly calls: CallChangeRepository,
    private readonly deletion: CallDeletion,
    private readonly access: ProjectAccess,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError */
  async rename(caller: Principal, { project_id, call_id, display_name }: CallUpdateDto): Promise<EmptyResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    const isKnown = await this.calls.rename(projectRowId, call_id, display_name === '' ? null : display_name);
    if (!isKnown) throw new CallNotFoundError(call_id, project_id);
    return {};
  }

  /** Deletes calls, and all that they made. Ids of no call are ignored. @throws AccessDeniedError, ProjectNotFoundError */
  async delete(caller: Principal, { project_id, call_ids }: CallsDeleteDto): Promise<CallsDeleteResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    const calls = { projectId: project_id, projectRowId, ids: call_ids };
    return { num_deleted: await this.deletion.delete(caller, calls) };
  }
}
