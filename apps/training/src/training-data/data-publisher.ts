import type { TempFolder } from '@hone/artifacts';
import type { Principal, ProjectGrant } from '@hone/auth';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { TrainingAccess } from '../access/training-access.js';
import { ArtifactWriteRepository } from '../artifacts/artifact-write.repository.js';
import type { Split } from './arranging/arrange.js';
import { DataCallsRepository } from './data-calls.repository.js';

/** What the data becomes a version of. */
export interface PublishTarget {
  readonly author: Principal;
  readonly grant: ProjectGrant;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
}

export interface PublishedData {
  readonly folder: TempFolder;
  readonly splits: readonly Split[];
  readonly digest: string;
  readonly metadata: object;
}

/** Makes data a version of an artifact that knows its calls. */
@Injectable()
export class DataPublisher {
  constructor(
    private readonly access: TrainingAccess,
    private readonly artifacts: ArtifactWriteRepository,
    private readonly calls: DataCallsRepository,
  ) {}

  /** In a transaction; returns the number of the version. @throws StorageUnavailableError */
  async publish(
    { author, grant, name }: PublishTarget,
    { folder, splits, digest, metadata }: PublishedData,
  ): Promise<number> {
    const projectId = await this.access.projectRowId(author, grant);
    const id = newId();
    const { uri, files, bytes } = await folder.commit(`artifacts/${id}`);
    const draft = { id, projectId, name, modelId: null, uri, files, digest, bytes, createdBy: author.userId };
    const version = await this.artifacts.insertVersion({ ...draft, metadata: JSON.stringify(metadata) });
    for (const split of splits) {
      await this.calls.insert(projectId, id, split.name, [...new Set(split.lines.flat().map((entry) => entry.id))]);
    }
    return version;
  }
}
