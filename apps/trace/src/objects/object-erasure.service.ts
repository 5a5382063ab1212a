import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import type { ObjectEraseDto, ObjectEraseResultDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ObjectErasureRepository } from './object-erasure.repository.js';

/** Erases deleted versions of objects, which `restore` could bring back until then. */
@Injectable()
export class ObjectErasureService {
  constructor(
    private readonly objects: ObjectErasureRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Erases deleted versions; live ones, and digests of none, are left out. Chunks and files that only they named go within
   * an hour.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async erase(caller: Principal, { project_id, object_id, digests }: ObjectEraseDto): Promise<ObjectEraseResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    return this.database.transaction(async () => {
      const count = await this.objects.eraseDeleted(projectRowId, object_id, digests ?? null);
      if (count > 0) await this.audit.addOf(caller, project_id, 'object_versions.erase', { count }, object_id);
      return { num_erased: count };
    });
  }
}
