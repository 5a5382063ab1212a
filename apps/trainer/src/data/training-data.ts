import type { ArtifactStore } from '@hone/artifacts';
import type { TrainingJobRecord } from '@hone/training-jobs';

import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { ArtifactVersionRepository } from './artifact-version.repository.js';
import { chooseDataFile } from './choose-data-file.js';
import { ArtifactGoneError, UrlForbiddenError } from './data.errors.js';
import type { Downloader } from './downloader.js';

/** A file on this machine. */
export interface InputFile {
  readonly path: string;
  /** Hex; null: not known before. */
  readonly sha256: string | null;
}

/** Fetches the input of a job onto this machine. */
export class TrainingData {
  constructor(
    private readonly store: ArtifactStore,
    private readonly versions: ArtifactVersionRepository,
    private readonly downloader: Downloader,
  ) {}

  /**
   * @throws ArtifactGoneError, ArtifactFileError
   * @throws UrlForbiddenError, UrlRefusedError, UrlUnavailableError, DataTooLargeError
   * @throws StoredFileMissingError, StorageUnavailableError
   */
  async fetch(job: TrainingJobRecord, workspace: AttemptWorkspace, signal: AbortSignal): Promise<InputFile> {
    if (job.input) return { path: await this.store.localPath(job.input.uri), sha256: job.input.sha256 };
    if (job.dataVersionId) return this.fileOf(job.dataVersionId);
    if (!job.trainingDataUrl) throw new UrlForbiddenError('the job names no data');
    const path = workspace.pathOf('data.jsonl');
    await this.downloader.download(job.trainingDataUrl, path, signal);
    return { path, sha256: null };
  }

  private async fileOf(versionId: string): Promise<InputFile> {
    const version = await this.versions.findVersion(versionId);
    if (!version) throw new ArtifactGoneError();
    const { path, sha256 } = chooseDataFile(version.files);
    return { path: await this.store.localPath(`${version.uri}/${path}`), sha256 };
  }
}
