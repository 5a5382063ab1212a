import type { ArtifactStore, StoredFolder } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import type { ImportedCheckpointDto, RawJson } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { EngineError, verifyManifest } from '@hone/engine';
import { IdempotentWrites, receiveBody, type StreamedBody } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { type BaseFolder, BaseModels } from '../base-models/base-models.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { CheckpointNotifications } from '../models/checkpoint-notifications.repository.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { BaseUnavailableError } from './adapter.errors.js';
import { toImportedCheckpoint } from './import.mapper.js';
import { type Imported, ImportProcesses } from './import-processes.js';
import { ImportedCheckpointRepository } from './imported-checkpoint.repository.js';
import { IMPORT_FORM, ReceivedArchive } from './received-archive.js';

/** A checkpoint in the store, which no row names yet. */
interface StoredImport {
  id: string;
  model: ModelRecord;
  imported: Imported;
  folder: StoredFolder;
}

/** Makes checkpoints of adapters that other programs trained. */
@Injectable()
export class ImportService {
  constructor(
    private readonly models: ModelAccess,
    private readonly bases: BaseModels,
    private readonly processes: ImportProcesses,
    private readonly checkpoints: ImportedCheckpointRepository,
    private readonly notifications: CheckpointNotifications,
    private readonly writes: IdempotentWrites,
    private readonly database: Database,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    @Inject(TRAINING_CONFIG) private readonly config: TrainingConfig,
  ) {}

  /**
   * Makes the adapter in the body the model's next step. Model, access and base are looked at before the body is read:
   * it may be large.
   *
   * @throws ModelNotFoundError also when it was deleted meanwhile. @throws AccessDeniedError, BaseUnavailableError
   * @throws IdempotencyKeyInvalidError, IdempotencyKeyReusedError, IdempotencyInProgressError
   * @throws ValidationError the body is no adapter of this base model
   * @throws BodyTooLargeError, AdapterTooLargeError, EncodingUnsupportedError
   * @throws StorageUnavailableError, BodiesBusyError, ImportFailedError
   */
  async import(author: Principal, modelId: string, reply: FastifyReply): Promise<ImportedCheckpointDto | RawJson> {
    const model = await this.models.getWritable(author, modelId);
    const base = await this.baseOf(model);
    const key = this.writes.keyOf(reply.request);
    const received = await this.store.createFolder();
    try {
      const archive = new ReceivedArchive(received, this.config.adapterLimitBytes);
      await receiveBody(reply.request.body as StreamedBody, IMPORT_FORM, archive);
      const stored = await this.convert(model, base, { archive: archive.path, workDirectory: received.path });
      const publish = () => this.publish(stored);
      if (key === undefined) return await this.database.transaction(publish);
      return await this.publishOnce(reply, { key, bodyHash: archive.hash }, stored, publish);
    } finally {
      await received.discard();
    }
  }

  private async baseOf({ baseModel }: ModelRecord): Promise<BaseFolder> {
    try {
      return await this.bases.find(baseModel);
    } catch (error) {
      throw error instanceof EngineError ? new BaseUnavailableError(baseModel) : error;
    }
  }

  /** Before any transaction: it takes long. A checkpoint that gets no row is garbage, which the collector finds. */
  private async convert(
    model: ModelRecord,
    base: BaseFolder,
    paths: { archive: string; workDirectory: string },
  ): Promise<StoredImport> {
    const made = await this.store.createFolder();
    try {
      const { baseModel } = model;
      const order = { ...paths, directory: made.path, base, baseModel, maxBytes: this.config.adapterLimitBytes };
      const imported = await this.processes.run(order);
      const id = newId();
      const folder = await made.commit(`models/${model.id}/import-${id}`);
      await verifyManifest(await this.store.localPath(folder.uri), imported.adapter.sha256);
      return { id, model, imported, folder };
    } finally {
      await made.discard();
    }
  }

  private async publishOnce(
    reply: FastifyReply,
    { key, bodyHash }: { key: string; bodyHash: Buffer },
    { folder }: StoredImport,
    publish: () => Promise<ImportedCheckpointDto>,
  ): Promise<RawJson> {
    let isTried = false;
    try {
      return await this.writes.once(reply.request, reply, { key, scope: '', bodyHash }, () => {
        isTried = true;
        return publish();
      });
    } finally {
      // An earlier request with this key made its own checkpoint. After a try, a row may name this one.
      if (!isTried) await this.store.delete(folder.uri);
    }
  }

  /** In a transaction. */
  private async publish({ id, model, imported, folder }: StoredImport): Promise<ImportedCheckpointDto> {
    await this.models.lock(model);
    const { uri, bytes } = folder;
    const { projectId, id: modelId } = model;
    const draft = { id, projectId, modelId, uri, bytes, manifestSha256: imported.adapter.sha256 };
    const { step, createdAt } = await this.checkpoints.insert(draft);
    await this.notifications.announce(modelId, [step]);
    return toImportedCheckpoint({ id, step, createdAt, bytes }, folder.files, imported);
  }
}
