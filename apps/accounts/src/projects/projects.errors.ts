import { DomainError } from '@hone/platform';

/** The entity has a project of this name. */
export class ProjectNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'project.name_taken';
  constructor(projectId: string) {
    super(`Project '${projectId}' exists already.`);
  }
}
