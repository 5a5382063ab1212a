import { type Principal, ProjectAccess } from '@hone/auth';
import { type ObjectCreateResultDto, type ObjectRestoreDto, parseVersionSelector } from '@hone/contracts';
import { Database } from '@hone/database';
import { AliasRepository, ObjectRepository, type ObjectVersionDraft } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import { ObjectNotFoundError, TypeCollisionError } from './object.errors.js';

/** Brings back what objects were. */
@Injectable()
export class ObjectHistoryService {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly aliases: AliasRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /**
   * Makes a deleted version live again, under its own number. It is the latest where no newer one is live; tags and
   * aliases do not come back. A live version stays as it is.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError
   * @throws TypeCollisionError a live version of the same kind has another class
   */
  async restore(caller: Principal, body: ObjectRestoreDto): Promise<ObjectCreateResultDto> {
    const { project_id: projectId, object_id: objectId, digest: selector } = body;
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    return this.database.transaction(async () => {
      if (!(await this.objects.lockExistingHead(projectRowId, objectId)))
        throw ObjectNotFoundError.noVersions(objectId, projectId);
      const version = await this.objects.findVersion(projectRowId, objectId, parseVersionSelector(selector));
      if (!version) throw ObjectNotFoundError.noVersion(objectId, projectId, selector);
      const { digest, baseObjectClass } = version;
      const kind = version.kind as ObjectVersionDraft['kind'];
      if (version.deletedAt) {
        const other = await this.objects.findOtherClass(projectRowId, { objectId, kind, baseObjectClass });
        if (other !== undefined) throw new TypeCollisionError(objectId, kind, other, baseObjectClass);
        await this.objects.restore(projectRowId, objectId, digest);
        await this.aliases.noteLatest({ projectRowId, objectId }, new Date(), caller.userId);
      }
      return { digest, object_id: objectId };
    });
  }
}
