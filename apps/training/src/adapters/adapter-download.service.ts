import type { ArtifactStore } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import type { StoredFileDto } from '@hone/contracts';
import { ADAPTER_FILES } from '@hone/engine';
import { Inject, Injectable } from '@nestjs/common';

import { CheckpointFilesService } from '../checkpoints/checkpoint-files.service.js';
import type { ArchiveDownload } from '../http/file-download.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { NotAnAdapterError } from './adapter.errors.js';
import { type PackedFile, packFiles } from './pack-files.js';

const MAX_NAME = 100;

/** Checkpoints in the form in which other programs exchange adapters. */
@Injectable()
export class AdapterDownloadService {
  constructor(
    private readonly models: ModelAccess,
    private readonly checkpoints: CheckpointFilesService,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /**
   * @throws ModelNotFoundError, AccessDeniedError, CheckpointNotFoundError, NotAnAdapterError
   * @throws StoredFileMissingError, StoredFileCorruptError, StorageUnavailableError
   */
  async get(caller: Principal, modelId: string, step: string): Promise<ArchiveDownload> {
    const model = await this.models.getReadable(caller, modelId);
    const { checkpoint, files } = await this.checkpoints.getStored(caller, modelId, step);
    const packed = files.filter(({ path }) => ADAPTER_FILES.includes(path));
    if (packed.length < ADAPTER_FILES.length) throw new NotAnAdapterError();
    const name = model.name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_NAME);
    return {
      fileName: `${name}-step${checkpoint.step}.tar.gz`,
      etag: `"${checkpoint.manifestSha256}-tgz"`,
      open: async () => packFiles(await this.open(checkpoint.uri, packed)),
    };
  }

  /** All at once: then nobody who deletes the checkpoint meanwhile takes bytes away. */
  private async open(uri: string, files: readonly StoredFileDto[]): Promise<PackedFile[]> {
    const opened: PackedFile[] = [];
    try {
      for (const file of files) opened.push({ ...file, content: await this.store.open(`${uri}/${file.path}`) });
      return opened;
    } catch (error) {
      for (const { content } of opened) content.destroy();
      throw error;
    }
  }
}
