import { AccessDeniedError, opensEntity, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

/** The project of something that a request names by its id alone. */
export interface OwningProject {
  /** Row id of the project. */
  projectId: string;
  entity: string;
  project: string;
}

/** `<entity>/<project>`. */
export const projectIdOf = ({ entity, project }: OwningProject): string => `${entity}/${project}`;

/** Which projects a list may show: all of an admin; else those of some entities, or one alone. */
export interface Visible {
  /** Null: every entity. */
  entities: readonly string[] | null;
  /** Row names of the only project that the key opens; null: any. */
  only: { entity: string; project: string } | null;
}

const SCOPE = 'training';

/** Who may do what with models, jobs and artifacts. Readers and annotators read; writers write as well. */
@Injectable()
export class TrainingAccess {
  constructor(private readonly projects: ProjectAccess) {}

  /**
   * The right to write to a project that the request names. It is made later, by {@link projectRowId}, once all other
   * checks have passed.
   *
   * @param entity null: the caller's default entity
   * @throws AccessDeniedError
   */
  async grantWrite(caller: Principal, entity: string | null | undefined, project: string): Promise<ProjectGrant> {
    return this.projects.grantWrite(caller, SCOPE, `${entity ?? caller.defaultEntity}/${project}`, 'writer');
  }

  /** Row id of a granted project; makes it, and for an admin its entity, when it is missing. */
  async projectRowId(caller: Principal, grant: ProjectGrant): Promise<string> {
    return this.projects.rowIdFor(caller, grant);
  }

  /** Row id of a project that the request names; null when there is none. @throws AccessDeniedError */
  async findReadable(caller: Principal, entity: string, project: string): Promise<string | null> {
    return this.projects.findReadable(caller, SCOPE, `${entity}/${project}`);
  }

  /** The same for the calls of a project, which the surface of traces opens. @throws AccessDeniedError */
  async findReadableCalls(caller: Principal, entity: string, project: string): Promise<string | null> {
    return this.projects.findReadable(caller, 'trace', `${entity}/${project}`);
  }

  /** @param what for example `this model`. @throws AccessDeniedError */
  async assertMayRead(caller: Principal, owning: OwningProject, what: string): Promise<void> {
    await this.projects.assertMayUse(caller, SCOPE, projectIdOf(owning), 'reader', what);
  }

  /** @param what for example `this model`. @throws AccessDeniedError */
  async assertMayWrite(caller: Principal, owning: OwningProject, what: string): Promise<void> {
    await this.projects.assertMayUse(caller, SCOPE, projectIdOf(owning), 'writer', what);
  }

  /**
   * @throws AccessDeniedError the key lacks the scope or is bound to a project of another entity, or `entity` is one on which
   *   the caller has no role
   */
  visibleTo(caller: Principal, entity?: string): Visible {
    if (!caller.scopes.has(SCOPE)) throw AccessDeniedError.needsScope(SCOPE);
    if (entity !== undefined && !(this.projects.roleOn(caller, entity) && opensEntity(caller, entity))) {
      throw AccessDeniedError.noAccess(entity);
    }
    const [onlyEntity, onlyProject] = caller.onlyProject?.split('/') ?? [];
    return {
      entities: caller.isAdmin ? null : [...caller.roles.keys()],
      only: onlyEntity && onlyProject ? { entity: onlyEntity, project: onlyProject } : null,
    };
  }
}
