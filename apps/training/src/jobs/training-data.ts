import type { Principal } from '@hone/auth';
import { type ArtifactRef, type LinesConfigDto, parseTrainingDataUrl, type TrainingDataUrl } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { TrainingAccess } from '../access/training-access.js';
import { ArtifactNotFoundError } from '../artifacts/artifact.errors.js';
import { readDataUrl } from './data-url.js';
import { TrainingDataRepository } from './training-data.repository.js';

/** Where the lines of a job come from, fixed now. */
export interface ResolvedData {
  /** What the row keeps of the URL. */
  url: string;
  /** Version of an artifact. */
  versionId: string | null;
  /** Lines that came with the request. */
  lines: Buffer | null;
}

/** Fixes what the URL of training or validation data means at this moment. */
@Injectable()
export class TrainingData {
  constructor(
    private readonly artifacts: TrainingDataRepository,
    private readonly access: TrainingAccess,
  ) {}

  /** @param field of the body, for errors. @throws AccessDeniedError, ArtifactNotFoundError, ValidationError, DataUrlTooLargeError */
  async resolve(
    caller: Principal,
    url: string,
    field: readonly string[] = ['training_data_url'],
  ): Promise<ResolvedData> {
    const parsed = parseTrainingDataUrl(url) as TrainingDataUrl;
    switch (parsed.kind) {
      case 'artifact':
        return { url, versionId: await this.findVersion(caller, parsed.ref), lines: null };
      case 'data':
        return { url: url.slice(0, url.indexOf(',')), versionId: null, lines: readDataUrl(parsed, field) };
      case 'remote':
        return { url, versionId: null, lines: null };
    }
  }

  /** The same of `validation_data_url`; null: there is none. */
  async resolveValidation(
    caller: Principal,
    config: Pick<LinesConfigDto, 'validation_data_url'> | null,
  ): Promise<ResolvedData | null> {
    const url = config?.validation_data_url ?? null;
    return url === null ? null : this.resolve(caller, url, ['config', 'validation_data_url']);
  }

  private async findVersion(caller: Principal, { entity, project, name, version, file }: ArtifactRef): Promise<string> {
    const projectId = await this.access.findReadable(caller, entity, project);
    const versionId = projectId && (await this.artifacts.findVersion(projectId, name, version, file));
    if (!versionId) {
      const [at, path] = [version === 'latest' ? '' : `:v${version}`, file === undefined ? '' : `/${file}`];
      throw new ArtifactNotFoundError(`${entity}/${project}/${name}${at}${path}`);
    }
    return versionId;
  }
}
