import { type Principal, ProjectAccess } from '@hone/auth';
import { type DataUse, DataUsesRepository } from '@hone/calls';
import { type CallUsesDto, formatArtifactRef, parseProjectId } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

const LIMIT = 100;

/** Where calls have gone as training data. */
@Injectable()
export class CallUsesService {
  constructor(
    private readonly uses: DataUsesRepository,
    private readonly access: ProjectAccess,
    private readonly scheme: RefScheme,
  ) {}

  /** Also of a call that is deleted by now: its data is not. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, callId: string): Promise<CallUsesDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const found = await this.uses.list(projectRowId, callId, LIMIT + 1);
    const shown = found.slice(0, LIMIT);
    const entities = caller.isAdmin ? null : [...caller.roles.keys()];
    const onlyProject = caller.onlyProject === null ? null : projectRowId;
    const jobs = await this.uses.listJobs(
      shown.map(({ id }) => id),
      entities,
      onlyProject,
    );
    const used_in = shown.map((use) => ({
      ...this.toUse(projectId, use),
      jobs: jobs
        .filter(({ versionId }) => versionId === use.id)
        .map(({ id, kind, status, modelId, checkpointId, step }) => ({
          ...{ id, kind, status, model_id: modelId },
          ...{ checkpoint_id: checkpointId, step },
        })),
    }));
    return { used_in, has_more: found.length > LIMIT };
  }

  private toUse(projectId: string, { id, name, version, digest, split, createdAt }: DataUse) {
    const { entity, project } = parseProjectId(projectId) as { entity: string; project: string };
    const url = formatArtifactRef({ scheme: this.scheme.name, entity, project, name, version });
    return { id, url, digest, split, created_at: createdAt.toISOString() };
  }
}
