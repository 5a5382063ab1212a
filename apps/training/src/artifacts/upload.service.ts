import type { ArtifactStore, TempFolder } from '@hone/artifacts';
import type { Principal, ProjectGrant } from '@hone/auth';
import { type ArtifactUploadedDto, parseProjectId, type RawJson } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { IdempotentWrites, receiveBody, RefScheme, type StreamedBody, type UploadForm } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { TrainingAccess } from '../access/training-access.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { toUploaded } from './artifact.mapper.js';
import { ArtifactWriteRepository } from './artifact-write.repository.js';
import { ReceivedUpload } from './received-upload.js';
import { readFields } from './upload-fields.js';

const FORM: UploadForm = {
  rawTypes: ['application/jsonl', 'application/x-ndjson', 'text/plain', 'application/octet-stream'],
  rawName: 'train.jsonl',
  fields: ['metadata', 'model_id'],
};

/** What an upload is to become. */
interface Target {
  author: Principal;
  grant: ProjectGrant;
  name: string;
}

@Injectable()
export class UploadService {
  constructor(
    private readonly artifacts: ArtifactWriteRepository,
    private readonly access: TrainingAccess,
    private readonly models: ModelAccess,
    private readonly writes: IdempotentWrites,
    private readonly database: Database,
    private readonly scheme: RefScheme,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    @Inject(TRAINING_CONFIG) private readonly config: TrainingConfig,
  ) {}

  /**
   * Stores a body as the next version of an artifact. Access is looked at before the body is read: it may be large.
   *
   * @throws AccessDeniedError, IdempotencyKeyInvalidError
   * @throws ValidationError the body is none of the forms that an upload may have
   * @throws ModelNotFoundError `model_id` names no live model of the project
   * @throws ArtifactTooLargeError, EncodingUnsupportedError, StorageUnavailableError
   */
  async upload(
    author: Principal,
    target: { entity: string; project: string; name: string },
    reply: FastifyReply,
  ): Promise<ArtifactUploadedDto | RawJson> {
    const grant = await this.access.grantWrite(author, target.entity, target.project);
    const { request } = reply;
    const key = this.writes.keyOf(request);
    const folder = await this.store.createFolder();
    try {
      const upload = new ReceivedUpload(folder, this.config.artifactLimitBytes);
      await receiveBody(request.body as StreamedBody, FORM, upload);
      const publish = () => this.publish({ author, grant, name: target.name }, folder, upload);
      if (key === undefined) return await this.database.transaction(publish);
      return await this.writes.once(request, reply, { key, scope: '', bodyHash: upload.bodyHash }, publish);
    } finally {
      await folder.discard();
    }
  }

  /** In a transaction. The files are in the store before the row that names them. */
  private async publish(target: Target, folder: TempFolder, upload: ReceivedUpload): Promise<ArtifactUploadedDto> {
    const { author, grant, name } = target;
    const { metadata, modelId } = readFields(upload.fields);
    const projectId = await this.access.projectRowId(author, grant);
    if (modelId !== null) await this.lockModel(author, modelId, projectId);
    const id = newId();
    const { bytes, digest } = upload;
    const { uri, files } = await folder.commit(`artifacts/${id}`);
    const draft = { id, projectId, name, modelId, uri, files, digest, bytes, metadata, createdBy: author.userId };
    const version = await this.artifacts.insertVersion(draft);
    const { entity, project } = parseProjectId(grant.projectId) as { entity: string; project: string };
    return toUploaded({ id, entity, project, name, version, digest, bytes }, files, this.scheme.name);
  }

  private async lockModel(author: Principal, modelId: string, projectId: string): Promise<void> {
    const model = await this.models.getWritable(author, modelId);
    if (model.projectId !== projectId) throw new ModelNotFoundError(modelId);
    await this.models.lock(model);
  }
}
