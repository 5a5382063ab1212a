import { Injectable } from '@nestjs/common';
import { AccessDeniedError, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { parseProjectId } from '@hone/contracts';

import { ProjectForbiddenError } from './usage-projects.errors.js';

/** Finds the project that pays for a request. */
@Injectable()
export class UsageProjects {
  /** The project that each caller used last. A caller's roles do not change: who has others is another object. */
  private readonly granted = new WeakMap<Principal, ProjectGrant>();

  constructor(private readonly access: ProjectAccess) {}

  /** What {@link authorize} would say, if it was asked the same before and the project is there; undefined: ask it. */
  recall(caller: Principal, header: string | undefined): ProjectGrant | undefined {
    const grant = this.granted.get(caller);
    return grant?.projectId === (header ?? ownOf(caller)) ? grant : undefined;
  }

  /**
   * The project that the header names, else the key's own: the one it is bound to, or its default. The key's own may be
   * missing, and is made by the first request that is admitted; one that was only named may not.
   *
   * @param header `<entity>/<project>`; undefined: there was none
   * @throws ProjectForbiddenError unknown, malformed, or the caller is no writer there
   */
  async authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant> {
    const own = ownOf(caller);
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

  /** Row id of a project that {@link authorize} let pass; makes it when it is missing. */
  rowIdFor(caller: Principal, grant: ProjectGrant): Promise<string> {
    return this.access.rowIdFor(caller, grant);
  }
}

const ownOf = (caller: Principal): string => caller.onlyProject ?? caller.defaultProject;
