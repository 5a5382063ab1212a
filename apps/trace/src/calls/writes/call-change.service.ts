import { Injectable } from '@nestjs/common';
import type { CallsDeleteDto, CallsDeleteResultDto, CallUpdateDto, EmptyResultDto } from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';

import { CallNotFoundError } from '../call.errors.js';
import { CallChangeRepository } from './call-change.repository.js';

@Injectable()
export class CallChangeService {
  constructor(
    private readonly calls: CallChangeRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError */
  async rename(caller: Principal, { project_id, call_id, display_name }: CallUpdateDto): Promise<EmptyResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    const isKnown = await this.calls.rename(projectRowId, call_id, display_name === '' ? null : display_name);
    if (!isKnown) throw new CallNotFoundError(call_id, project_id);
    return {};
  }

  /** Soft: calls, and all that they made. Ids of no call are ignored. @throws AccessDeniedError, ProjectNotFoundError */
  async delete(caller: Principal, { project_id, call_ids }: CallsDeleteDto): Promise<CallsDeleteResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    return { num_deleted: call_ids.length === 0 ? 0 : await this.calls.delete(projectRowId, call_ids) };
  }
}
