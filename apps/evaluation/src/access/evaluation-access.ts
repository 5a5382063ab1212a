import { AccessDeniedError, type Principal, ProjectAccess } from '@hone/auth';
import type { Role } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

const SCOPE = 'trace';

/** A project that the caller may use. */
export interface OwnProject {
  /** `<entity>/<project>`. */
  readonly id: string;
  readonly rowId: string;
}

/** Who may judge what. Readers see judgements; writers have calls judged. */
@Injectable()
export class EvaluationAccess {
  constructor(private readonly projects: ProjectAccess) {}

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async project(caller: Principal, id: string, needed: Role): Promise<OwnProject> {
    return { id, rowId: await this.projects.getReadable(caller, SCOPE, id, needed) };
  }

  /** For something that the caller named by its id alone. @param what for example `this scoring` */
  async assertMayUse(caller: Principal, projectId: string, needed: Role, what: string): Promise<void> {
    await this.projects.assertMayUse(caller, SCOPE, projectId, needed, what);
  }

  /** @throws AccessDeniedError models cannot be asked with this key */
  assertMayAskModels(caller: Principal): void {
    if (!caller.scopes.has('inference')) throw AccessDeniedError.needsScope('inference');
  }
}
