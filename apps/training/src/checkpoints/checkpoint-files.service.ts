import type { ArtifactStore } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import type { CheckpointDetailDto, StoredFileDto } from '@hone/contracts';
import { Inject, Injectable } from '@nestjs/common';

import type { FileDownload } from '../http/file-download.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { CheckpointFileNotFoundError, CheckpointNotFoundError } from './checkpoint.errors.js';
import { toCheckpointDetail } from './checkpoint.mapper.js';
import type { CheckpointDetail } from './checkpoint.record.js';
import { CheckpointRepository } from './checkpoint.repository.js';

const MANIFEST = 'manifest.json';
const STEP = /^[1-9][0-9]{0,9}$/;
const MAX_STEP = 2_147_483_647;

export interface StoredCheckpoint {
  checkpoint: CheckpointDetail;
  files: StoredFileDto[];
}

/** The stored files of one checkpoint. */
@Injectable()
export class CheckpointFilesService {
  constructor(
    private readonly checkpoints: CheckpointRepository,
    private readonly models: ModelAccess,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /**
   * @throws ModelNotFoundError, AccessDeniedError, CheckpointNotFoundError
   * @throws StoredFileMissingError, StoredFileCorruptError
   */
  async get(caller: Principal, modelId: string, step: string): Promise<CheckpointDetailDto> {
    const { checkpoint, files } = await this.getStored(caller, modelId, step);
    return toCheckpointDetail(checkpoint, files);
  }

  /** @throws what {@link get} throws, and CheckpointFileNotFoundError */
  async getFile(caller: Principal, modelId: string, step: string, path: string): Promise<FileDownload> {
    const { checkpoint, files } = await this.getStored(caller, modelId, step);
    const file = files.find((one) => one.path === path);
    if (!file) throw new CheckpointFileNotFoundError();
    return { ...file, open: () => this.store.open(`${checkpoint.uri}/${file.path}`) };
  }

  /** A checkpoint with all its files, by path. @throws what {@link get} throws */
  async getStored(caller: Principal, modelId: string, step: string): Promise<StoredCheckpoint> {
    const checkpoint = await this.find(caller, modelId, step);
    return { checkpoint, files: await this.filesOf(checkpoint) };
  }

  private async find(caller: Principal, modelId: string, step: string): Promise<CheckpointDetail> {
    const model = await this.models.getReadable(caller, modelId);
    const isPossible = STEP.test(step) && Number(step) <= MAX_STEP;
    const checkpoint = isPossible ? await this.checkpoints.find(model, Number(step)) : null;
    if (!checkpoint) throw new CheckpointNotFoundError(step);
    return checkpoint;
  }

  /** By path; the manifest, which vouches for the others, is one of them. */
  private async filesOf({ uri, manifestSha256 }: CheckpointDetail): Promise<StoredFileDto[]> {
    const manifest = await this.store.read(`${uri}/${MANIFEST}`, manifestSha256);
    const { files } = JSON.parse(manifest.toString()) as { files: StoredFileDto[] };
    const listed = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
    const all = [...listed, { path: MANIFEST, bytes: manifest.length, sha256: manifestSha256 }];
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}
