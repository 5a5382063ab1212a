import type { ProjectDto } from '@hone/contracts';

import type { ProjectRecord } from './projects.repository.js';

export const toProjectDto = (project: ProjectRecord): ProjectDto => ({
  project_id: project.projectId,
  created_at: project.createdAt.toISOString(),
});
