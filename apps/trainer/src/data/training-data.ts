import type { ArtifactStore } from '@hone/artifacts';
import { parseArtifactRef } from '@hone/contracts';
import type { TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import { ArtifactVersionRepository } from './artifact-version.repository.js';
import { chooseDataFile } from './choose-data-file.js';
import { ArtifactGoneError, UrlForbiddenError } from './data.errors.js';
import { Downloader } from './downloader.js';

/** A file on this machine. */
export interface InputFile {
  readonly path: string;
  /** Hex; null: not known before. */
  readonly sha256: string | null;
}

/** Where the data comes from: the first of the three that the job names. */
interface DataSource {
  readonly input: TrainingJobRecord['input'];
  readonly versionId: string | null;
  readonly url: string | null;
}

/** Fetches the input of a job onto this machine. */
@Injectable()
export class TrainingData {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly versions: ArtifactVersionRepository,
    private readonly downloader: Downloader,
  ) {}

  /**
   * @throws ArtifactGoneError, ArtifactFileError
   * @throws UrlForbiddenError, UrlRefusedError, UrlUnavailableError, DataTooLargeError
   * @throws StoredFileMissingError, StorageUnavailableError
   */
  async fetch(job: TrainingJobRecord, workspace: AttemptWorkspace, signal: AbortSignal): Promise<InputFile> {
    const { input, dataVersionId: versionId, trainingDataUrl: url } = job;
    const file = await this.find({ input, versionId, url }, workspace.pathOf('data.jsonl'), signal);
    if (!file) throw new UrlForbiddenError('the job names no data');
    return file;
  }

  /** Fetches the validation data likewise; null: the job has no file of it. */
  async fetchValidation(
    job: TrainingJobRecord,
    url: string | null,
    workspace: AttemptWorkspace,
    signal: AbortSignal,
  ): Promise<InputFile | null> {
    const { validationInput: input, validationVersionId: versionId } = job;
    return this.find({ input, versionId, url }, workspace.pathOf('validation.jsonl'), signal);
  }

  private async find(
    { input, versionId, url }: DataSource,
    path: string,
    signal: AbortSignal,
  ): Promise<InputFile | null> {
    if (input) return { path: await this.store.localPath(input.uri), sha256: input.sha256 };
    if (versionId) return this.fileOf(versionId, url === null ? undefined : parseArtifactRef(url)?.file);
    if (!url) return null;
    await this.downloader.download(url, path, signal);
    return { path, sha256: null };
  }

  /** @param named path of the file that is meant; undefined: the one that holds the training data */
  private async fileOf(versionId: string, named: string | undefined): Promise<InputFile> {
    const version = await this.versions.findVersion(versionId);
    if (!version) throw new ArtifactGoneError();
    const meant = named === undefined ? version.files : version.files.filter(({ path }) => path === named);
    const { path, sha256 } = chooseDataFile(meant);
    return { path: await this.store.localPath(`${version.uri}/${path}`), sha256 };
  }
}
