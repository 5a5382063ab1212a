import type { ArtifactStore } from '@hone/artifacts';
import { AuditLog, type Principal, type ProjectGrant } from '@hone/auth';
import type { ArtifactDeletedDto, ArtifactsQueryDto, ArtifactVersionDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';

import { TrainingAccess } from '../access/training-access.js';
import type { FileDownload } from '../http/file-download.js';
import { type Page, toPage, toPageQuery, unknownCursor } from '../http/page.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { ArtifactInUseError, ArtifactNotFoundError } from './artifact.errors.js';
import { artifactUrl, toArtifactVersion } from './artifact.mapper.js';
import type { ArtifactVersionFiles } from './artifact.record.js';
import { ArtifactRepository } from './artifact.repository.js';
import { parseVersion } from './artifact-names.js';
import { ArtifactWriteRepository } from './artifact-write.repository.js';

/** A version of an artifact as a path names it. */
export interface VersionPath {
  entity: string;
  project: string;
  name: string;
  /** `v<N>` or `latest`. */
  version: string;
}

@Injectable()
export class ArtifactsService {
  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly writes: ArtifactWriteRepository,
    private readonly access: TrainingAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly scheme: RefScheme,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /** @throws ValidationError, AccessDeniedError `entity` is one on which the caller has no role */
  async list(caller: Principal, query: ArtifactsQueryDto): Promise<Page<ArtifactVersionDto>> {
    const page = toPageQuery(query);
    const { entity, project, name } = query;
    const visible = this.access.visibleTo(caller, entity);
    const isKnown = page.after === undefined || (await this.artifacts.wasVisible(visible, page.after));
    if (!isKnown) throw unknownCursor();
    const found = await this.artifacts.list(visible, { entity, project, name }, page);
    return toPage(
      found.map((record) => toArtifactVersion(record, this.scheme.name)),
      page.limit,
    );
  }

  /** @throws AccessDeniedError, ArtifactNotFoundError */
  async getFile(caller: Principal, path: VersionPath, file: string): Promise<FileDownload> {
    const projectId = await this.access.findReadable(caller, path.entity, path.project);
    const version = await this.get(projectId, path);
    const found = version.files.find((one) => one.path === file);
    if (!found) throw this.notFound(path);
    return { ...found, open: () => this.store.open(`${version.uri}/${found.path}`) };
  }

  /** @throws AccessDeniedError, ArtifactNotFoundError, ArtifactInUseError */
  async delete(caller: Principal, path: VersionPath): Promise<ArtifactDeletedDto> {
    const grant: ProjectGrant = await this.access.grantWrite(caller, path.entity, path.project);
    const projectId = grant.rowId;
    const version = await this.get(projectId, path);
    await this.database.transaction(async () => {
      await this.deleteVersion(projectId as string, version);
      const detail = { version: version.version, files: version.files.length };
      const subject = `${grant.projectId}/${path.name}`;
      await this.audit.addOf(caller, grant.projectId, 'artifact.delete', detail, subject);
    });
    return { id: version.id, version: `v${version.version}` };
  }

  private async deleteVersion(projectId: string, version: ArtifactVersionFiles): Promise<void> {
    const url = artifactUrl(version, this.scheme.name);
    if (!(await this.writes.lockVersion(projectId, version.id))) throw new ArtifactNotFoundError(url);
    if (await this.writes.isReadByOpenJob(version.id)) throw new ArtifactInUseError(url);
    await this.writes.deleteVersion(projectId, version.id);
  }

  private async get(projectId: string | null, path: VersionPath): Promise<ArtifactVersionFiles> {
    const version = parseVersion(path.version);
    const isPossible = projectId !== null && version !== undefined;
    const found = isPossible ? await this.artifacts.find(projectId, path.name, version) : null;
    if (!found) throw this.notFound(path);
    return found;
  }

  private notFound({ entity, project, name, version }: VersionPath): ArtifactNotFoundError {
    return new ArtifactNotFoundError(`${entity}/${project}/${name}:${version.slice(0, 20)}`);
  }
}
