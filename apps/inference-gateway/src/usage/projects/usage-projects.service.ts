import { Injectable } from '@nestjs/common';
import { AccessDeniedError, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { parseProjectId } from '@hone/contracts';

import { ProjectForbiddenError } from './usage-projects.errors.js';

/** Finds the project that pays for a request. */
@Injectable()
export class UsageProjects {
  constructor(private readonly access: ProjectAccess) {}

  /**
   * The project that the header names, else the key's own: the one it is bound to, or its default. The key's own may be
   * missing, and is made by the first request that is admitted; one that was only named may not.
   *
   * @param header `<entity>/<project>`; undefined: there was none
   * @throws ProjectForbiddenError unknown, malformed, or the caller is no writer there
   */
  async authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant> {
    const own = caller.onlyProject ?? caller.defaultProject;
    const projectId = header ?? own;
    if (!parseProjectId(projectId)) throw new ProjectForbiddenError();
    try {
      const grant = await this.access.grantWrite(caller, 'inference', projectId, 'writer');
      if (grant.rowId === null && projectId !== own) throw new ProjectForbiddenError();
      return grant;
    } catch (error) {
      throw error instanceof AccessDeniedError ? new ProjectForbiddenError() : error;
    }
  }

  /** Row id of a project that {@link authorize} let pass; makes it when it is missing. */
  rowIdFor(caller: Principal, grant: ProjectGrant): Promise<string> {
    return this.access.rowIdFor(caller, grant);
  }
}
