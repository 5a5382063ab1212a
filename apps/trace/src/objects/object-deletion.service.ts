import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { isObjectId, parseVersionSelector } from '@hone/contracts';
import { Database } from '@hone/database';
import { AliasRepository, isMeant, ObjectRepository, type VersionFilter, type VersionSummary } from '@hone/objects';
import type { DomainError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { AliasProtectedError } from './object.errors.js';

/** Which versions of an object a deletion is about, and what it says when there are none. */
export interface DeletionRules {
  /** Versions that may be deleted; undefined: any. */
  readonly only?: VersionFilter;
  /** No live version. */
  readonly noVersions: () => DomainError;
  /** No live version that the selector names. */
  readonly noVersion: (selector: string) => DomainError;
}

/** Deletes versions of objects: all that were asked for, or none. */
@Injectable()
export class ObjectDeletionService {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly aliases: AliasRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Deletes all live versions, or those that the selectors name: all of them, or none when one names nothing.
   *
   * @param selectors undefined: all versions
   * @returns the deleted versions, each once
   * @throws AccessDeniedError, ProjectNotFoundError, and the errors of the rules
   * @throws AliasProtectedError one of the versions has a protected alias
   */
  async delete(
    caller: Principal,
    projectId: string,
    objectId: string,
    selectors: string[] | undefined,
    rules: DeletionRules,
  ): Promise<VersionSummary[]> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    if (!isObjectId(objectId)) throw rules.noVersions();
    return this.database.transaction(async () => {
      if (!(await this.objects.lockExistingHead(projectRowId, objectId))) throw rules.noVersions();
      const chosen = selectors
        ? await this.choose(projectRowId, objectId, selectors, rules)
        : await this.objects.listLive(projectRowId, objectId, rules.only);
      if (chosen.length === 0) throw rules.noVersions();
      const digests = chosen.map(({ digest }) => digest);
      const object = { projectRowId, objectId };
      const held = await this.aliases.findProtected(object, { digests });
      if (held !== null) throw new AliasProtectedError(held, objectId);
      await this.objects.deleteVersions(projectRowId, objectId, digests);
      const changed = await this.aliases.withoutVersions(object, digests);
      if (changed.length) await this.aliases.noteAliases(object, changed, caller.userId);
      await this.aliases.noteLatest(object, new Date(), caller.userId);
      await this.audit.addOf(caller, projectId, 'object_versions.delete', { count: chosen.length }, objectId);
      return chosen;
    });
  }

  /** The live versions that the selectors name, each once. */
  private async choose(
    projectRowId: string,
    objectId: string,
    selectors: string[],
    { only = {}, noVersion, noVersions }: DeletionRules,
  ): Promise<VersionSummary[]> {
    const chosen = new Map<string, VersionSummary>();
    for (const selector of selectors) {
      const found = await this.objects.findVersion(projectRowId, objectId, parseVersionSelector(selector));
      if (found && !found.deletedAt && isMeant(found, only)) chosen.set(found.digest, found);
      else throw (await this.objects.hasLive(projectRowId, objectId, only)) ? noVersion(selector) : noVersions();
    }
    return [...chosen.values()];
  }
}
