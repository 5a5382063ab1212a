import { AccessDeniedError, AuditLog, type Principal } from '@hone/auth';
import type { ProjectCreateDto, ProjectDto, ProjectListDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { assertAccountScope } from '../access/caller.js';
import { EntityAccess } from '../entities/entity-access.js';
import { toProjectDto } from './project.mapper.js';
import { ProjectNameTakenError } from './projects.errors.js';
import { ProjectsRepository } from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly access: EntityAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * @throws AccessDeniedError the caller is no writer of the entity, or their key is bound to another project
   * @throws EntityNotFoundError
   * @throws ProjectNameTakenError
   */
  async create(caller: Principal, { entity: entityName, name }: ProjectCreateDto): Promise<ProjectDto> {
    const projectId = `${entityName}/${name}`;
    assertAccountScope(caller);
    if (caller.onlyProject !== null && caller.onlyProject !== projectId) throw AccessDeniedError.noAccess(entityName);
    const project = await this.database.transaction(async () => {
      const entity = await this.access.get(caller, entityName, 'writer');
      const made = await this.projects.insert({ entityId: entity.id, name, createdBy: caller.userId });
      if (!made) throw new ProjectNameTakenError(projectId);
      await this.audit.add({ actorId: caller.userId, action: 'project.create', subject: projectId, projectId });
      return made;
    });
    return toProjectDto(project);
  }

  /**
   * Those of the caller's entities, by name; an admin gets all, a key that is bound to a project that one.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal): Promise<ProjectListDto> {
    assertAccountScope(caller);
    const { onlyProject } = caller;
    const projects = await this.projects.list(caller.isAdmin ? undefined : caller.userId);
    const visible = projects.filter(({ projectId }) => onlyProject === null || projectId === onlyProject);
    return { data: visible.map(toProjectDto) };
  }
}
