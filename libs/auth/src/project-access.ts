import { parseProjectId, type Role, ROLES, type Scope } from '@hone/contracts';
import { Database, leastRecentlyUsed, NotificationListener } from '@hone/database';
import { DomainError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { AccessDeniedError, ProjectNotFoundError } from './auth.errors.js';
import { KeyStore } from './key-store.js';
import { opensEntity, ownProjectOf, type Principal } from './principal.js';
import { ProjectRepository } from './project.repository.js';

const CACHE_ENTRIES = 50_000;

/** Whether a role includes another one. Null and undefined: there is none. */
export const hasRole = (role: Role | null | undefined, needed: Role): boolean =>
  (role ?? null) !== null && ROLES.indexOf(role as Role) >= ROLES.indexOf(needed);

/** A project that the caller may use: either known, or to be made by the write that follows. */
export interface ProjectGrant {
  /** `<entity>/<project>`. */
  projectId: string;
  /** Row id; null while the project does not exist. */
  rowId: string | null;
}

/** Decides who may do what in which project, and makes projects at their first write. */
@Injectable()
export class ProjectAccess {
  /**
   * Row ids never change and projects are not deleted. Only a database that was restored from a backup has other ids,
   * and it comes back after the connection was lost.
   */
  private readonly rowIds = leastRecentlyUsed<string>({ max: CACHE_ENTRIES });

  constructor(
    private readonly projects: ProjectRepository,
    private readonly keys: KeyStore,
    private readonly database: Database,
    notifications: NotificationListener,
  ) {
    notifications.onGap(() => this.rowIds.clear());
  }

  /** The role of a caller on an entity; an admin has every role everywhere. */
  roleOn(caller: Principal, entity: string): Role | undefined {
    return caller.isAdmin ? 'owner' : caller.roles.get(entity);
  }

  /**
   * @throws AccessDeniedError no role on the entity, a key without the scope or bound to another project, a role too low
   */
  assertRole(caller: Principal, scope: Scope, projectId: string, needed: Role): void {
    const entity = projectId.slice(0, projectId.indexOf('/'));
    const role = this.roleOn(caller, entity);
    const isBoundElsewhere = caller.onlyProject !== null && caller.onlyProject !== projectId;
    if (!role || !caller.scopes.has(scope) || isBoundElsewhere) throw AccessDeniedError.noAccess(entity);
    if (!hasRole(role, needed)) throw AccessDeniedError.needsRole(needed, entity);
  }

  /**
   * For something that the caller named by its id alone.
   *
   * @param what for example `this model`
   * @throws AccessDeniedError which does not say to an outsider where the thing is
   */
  async assertMayUse(caller: Principal, scope: Scope, projectId: string, needed: Role, what: string): Promise<void> {
    try {
      await this.assertRoleNow(caller, scope, projectId, needed);
    } catch (error) {
      const entity = projectId.slice(0, projectId.indexOf('/'));
      const isOutsider = this.roleOn(caller, entity) === undefined || !opensEntity(caller, entity);
      throw isOutsider && error instanceof AccessDeniedError ? AccessDeniedError.noAccessTo(what) : error;
    }
  }

  /** Row id of a project that the caller may read; null when it does not exist. @throws AccessDeniedError */
  async findReadable(
    caller: Principal,
    scope: Scope,
    projectId: string,
    needed: Role = 'reader',
  ): Promise<string | null> {
    await this.assertRoleNow(caller, scope, projectId, needed);
    return this.find(projectId);
  }

  /** {@link findReadable} for a project that a value names: one that the caller may not read is as one that is not there. */
  async findIfReadable(caller: Principal, scope: Scope, projectId: string): Promise<string | null> {
    try {
      return await this.findReadable(caller, scope, projectId);
    } catch (error) {
      if (error instanceof AccessDeniedError) return null;
      throw error;
    }
  }

  /** Row id of a project that the caller may use. @throws AccessDeniedError, ProjectNotFoundError */
  async getReadable(caller: Principal, scope: Scope, projectId: string, needed: Role = 'reader'): Promise<string> {
    const rowId = await this.findReadable(caller, scope, projectId, needed);
    if (rowId === null) throw new ProjectNotFoundError(projectId);
    return rowId;
  }

  /**
   * {@link getReadable} for what a project has none of before it is made. The first request with a key makes the key's own
   * project: until then its row id is null.
   */
  async getReadableOrOwn(caller: Principal, scope: Scope, projectId: string): Promise<string | null> {
    const rowId = await this.findReadable(caller, scope, projectId);
    if (rowId === null && projectId !== ownProjectOf(caller)) throw new ProjectNotFoundError(projectId);
    return rowId;
  }

  /**
   * The right to write. A missing project is not made yet: all other checks come first, then {@link rowIdFor}.
   *
   * @throws AccessDeniedError also when the project does not exist and the caller has less than the role writer
   */
  async grantWrite(caller: Principal, scope: Scope, projectId: string, needed: Role): Promise<ProjectGrant> {
    const rowId = await this.findReadable(caller, scope, projectId, needed);
    if (rowId === null) await this.assertRoleNow(caller, scope, projectId, 'writer');
    return { projectId, rowId };
  }

  /**
   * {@link grantWrite} for several projects, each asked for once.
   *
   * @param isBatch the sentence of an error begins with `batch[i]: `, i the first element that names the project
   */
  async grantWrites(
    caller: Principal,
    scope: Scope,
    projectIds: string[],
    needed: Role,
    isBatch: boolean,
  ): Promise<Map<string, ProjectGrant>> {
    const grants = new Map<string, ProjectGrant>();
    for (const [index, projectId] of projectIds.entries()) {
      if (grants.has(projectId)) continue;
      try {
        grants.set(projectId, await this.grantWrite(caller, scope, projectId, needed));
      } catch (error) {
        throw isBatch && error instanceof DomainError ? error.inBatch(index) : error;
      }
    }
    return grants;
  }

  /** Row id of a granted project; makes it when it is missing. */
  async rowIdFor(caller: Principal, grant: ProjectGrant): Promise<string> {
    if (grant.rowId) return grant.rowId;
    const { entity, project } = parseProjectId(grant.projectId) as { entity: string; project: string };
    const rowId = await this.projects.create(entity, project, caller.userId);
    if (!this.database.inTransaction) this.rowIds.set(grant.projectId, rowId);
    return rowId;
  }

  /** A role that another process granted a moment ago counts: before it says no, it reads the roles again. */
  private async assertRoleNow(caller: Principal, scope: Scope, projectId: string, needed: Role): Promise<void> {
    try {
      this.assertRole(caller, scope, projectId, needed);
    } catch (denied) {
      const current = await this.keys.reload(caller);
      if (!current) throw denied;
      this.assertRole(current, scope, projectId, needed);
    }
  }

  private async find(projectId: string): Promise<string | null> {
    const cached = this.rowIds.get(projectId);
    if (cached) return cached;
    const parts = parseProjectId(projectId);
    const rowId = parts && (await this.projects.find(parts.entity, parts.project));
    // Inside a transaction the row may still be rolled back: only what is committed is remembered.
    if (rowId && !this.database.inTransaction) this.rowIds.set(projectId, rowId);
    return rowId ?? null;
  }
}
