import { AccessDeniedError, ownProjectOf, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { parseProjectId } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { ProjectForbiddenError } from './usage-projects.errors.js';

/** Finds the project that is billed for a request. */
@Injectable()
export class UsageProjects {
  /** The project that each caller used last. A `Principal` is immutable: changed roles make another object. */
  private readonly granted = new WeakMap<Principal, ProjectGrant>();

  /** The project of the trained model that each caller used last. */
  private readonly grantedOfModel = new WeakMap<Principal, ProjectGrant>();

  constructor(private readonly access: ProjectAccess) {}

  /** The cached result of {@link authorize}; undefined: not cached. */
  recall(caller: Principal, header: string | undefined): ProjectGrant | undefined {
    const grant = this.granted.get(caller);
    return grant?.projectId === (header ?? ownProjectOf(caller)) ? grant : undefined;
  }

  /**
   * Returns the project that the header names, else the key's own: the one it is bound to, or its default. The key's
   * own project may be missing: the first admitted request creates it. A named project must exist.
   *
   * @param header `<entity>/<project>`; undefined: absent
   * @throws ProjectForbiddenError the project is unknown or malformed, or the caller is not a writer
   */
  async authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant> {
    const own = ownProjectOf(caller);
    const projectId = header ?? own;
    if (!parseProjectId(projectId)) throw new ProjectForbiddenError();
    try {
      const grant = await this.access.grantWrite(caller, 'inference', projectId, 'writer');
      if (grant.rowId === null && projectId !== own) throw new ProjectForbiddenError();
      if (grant.rowId !== null) this.granted.set(caller, grant);
      return grant;
    } catch (error) {
      throw error instanceof AccessDeniedError ? new ProjectForbiddenError() : error;
    }
  }

  /**
   * The project that a request to a trained model is booked to when it names none: the model's, so that a project
   * shows and limits what its rollouts cost. A caller who may not write there pays from the project of the key.
   *
   * @param projectId of the model, `<entity>/<project>`
   * @param own what {@link authorize} returned
   */
  ofModel(caller: Principal, projectId: string, own: ProjectGrant): ProjectGrant | Promise<ProjectGrant> {
    if (projectId === own.projectId || !this.mayWrite(caller, projectId)) return own;
    const known = this.grantedOfModel.get(caller);
    return known?.projectId === projectId ? known : this.grantOfModel(caller, projectId, own);
  }

  private async grantOfModel(caller: Principal, projectId: string, own: ProjectGrant): Promise<ProjectGrant> {
    const grant = await this.access.grantWrite(caller, 'inference', projectId, 'writer');
    if (grant.rowId === null) return own;
    this.grantedOfModel.set(caller, grant);
    return grant;
  }

  private mayWrite(caller: Principal, projectId: string): boolean {
    try {
      this.access.assertRole(caller, 'inference', projectId, 'writer');
      return true;
    } catch {
      return false;
    }
  }

  /** Row id of a project that {@link authorize} returned; creates the project when it is missing. */
  rowIdFor(caller: Principal, grant: ProjectGrant): Promise<string> {
    return this.access.rowIdFor(caller, grant);
  }
}
