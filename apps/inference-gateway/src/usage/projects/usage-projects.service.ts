import { Injectable } from '@nestjs/common';
import { AccessDeniedError, type Principal, ProjectAccess } from '@hone/auth';
import { parseProjectId } from '@hone/contracts';

import { ProjectForbiddenError } from './usage-projects.errors.js';

/** The project that a request is booked to. */
export interface UsageProject {
  /** `<entity>/<project>`. */
  projectId: string;
  rowId: string;
}

/** Finds the project that pays for a request. */
@Injectable()
export class UsageProjects {
  constructor(private readonly access: ProjectAccess) {}

  /**
   * The project that the header names, else the key's own: the one it is bound to, or its default. The key's own is
   * made when it is not there yet; a project that was only named is not.
   *
   * @param header `<entity>/<project>`; undefined: there was none
   * @throws ProjectForbiddenError unknown, malformed, or the caller is no writer there
   */
  async resolve(caller: Principal, header: string | undefined): Promise<UsageProject> {
    const own = caller.onlyProject ?? caller.defaultProject;
    const projectId = header ?? own;
    if (!parseProjectId(projectId)) throw new ProjectForbiddenError();
    try {
      const grant = await this.access.grantWrite(caller, 'inference', projectId, 'writer');
      if (grant.rowId === null && projectId !== own) throw new ProjectForbiddenError();
      return { projectId, rowId: await this.access.rowIdFor(caller, grant) };
    } catch (error) {
      throw error instanceof AccessDeniedError ? new ProjectForbiddenError() : error;
    }
  }
}
