import type { ArtifactStore, StoredFile } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import { newId } from '@hone/database';
import { type CreateJobResult, JobControl, type JobDraft, type TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable, Logger } from '@nestjs/common';

import { ArtifactNotFoundError } from '../artifacts/artifact.errors.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { ModelNotFoundError } from '../models/model.errors.js';
import type { ModelRecord } from '../models/model.record.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { ParentStepNotFoundError, QueueFullError } from './jobs.errors.js';

/** What comes with a job: stored under `name` beside it. */
export interface JobInput {
  name: 'input.json' | 'input.jsonl' | 'validation.jsonl';
  bytes: Buffer;
}

/** Validation data of a job, where it is not on another server. */
export interface JobValidation {
  /** As it was sent. */
  url: string;
  versionId: string | null;
  input: JobInput | null;
}

export type JobOrder = Pick<
  JobDraft,
  | 'kind' | 'config' | 'extraConfig' | 'trainingDataUrl' | 'dataVersionId' | 'rollouts' | 'keyId' | 'parentStep' | 'data'
  | 'warnings'
>; // prettier-ignore

/** Accepts jobs. Their input is stored and synced before their row is inserted. */
@Injectable()
export class JobIntake {
  private readonly log = new Logger(JobIntake.name);

  constructor(
    private readonly control: JobControl,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    @Inject(TRAINING_CONFIG) private readonly config: TrainingConfig,
  ) {}

  /** @throws QueueFullError, ParentStepNotFoundError, ModelNotFoundError or ArtifactNotFoundError (deleted a moment ago), StorageUnavailableError */
  async takeIn(
    caller: Principal,
    { id: modelId, projectId }: ModelRecord,
    order: JobOrder,
    input: JobInput | null,
    validation: JobValidation | null = null,
  ): Promise<TrainingJobRecord> {
    const open = await this.control.countOpenJobs(projectId, modelId);
    const { openJobsPerModel: perModel, openJobsPerProject: perProject } = this.config;
    if (open.ofModel >= perModel) throw new QueueFullError('model', perModel);
    if (open.ofProject >= perProject) throw new QueueFullError('project', perProject);
    const id = newId();
    const stored: StoredFile[] = [];
    const put = async (one: JobInput | null): Promise<StoredFile | null> => {
      if (!one) return null;
      const file = await this.store.put(`jobs/${id}/${one.name}`, one.bytes);
      stored.push(file);
      return file;
    };
    try {
      const [ofTraining, ofValidation] = [await put(input), await put(validation?.input ?? null)];
      const own = { id, projectId, modelId, input: ofTraining, createdBy: caller.userId };
      const held = validation && { validation: { versionId: validation.versionId, input: ofValidation } };
      const draft = { ...order, ...own, ...held };
      return this.jobOf(await this.control.createJob(draft, { perModel, perProject }), draft, validation);
    } catch (error) {
      for (const file of stored) await this.discard(file);
      throw error;
    }
  }

  private jobOf(
    result: CreateJobResult,
    { modelId, trainingDataUrl, parentStep }: JobDraft,
    validation: JobValidation | null,
  ): TrainingJobRecord {
    switch (result.outcome) {
      case 'created':
        return result.job;
      case 'no_model':
        throw new ModelNotFoundError(modelId);
      case 'no_parent':
        throw new ParentStepNotFoundError(parentStep ?? 0);
      case 'no_data':
        throw new ArtifactNotFoundError((result.of === 'training' ? trainingDataUrl : validation?.url) ?? '');
      case 'queue_full':
        throw new QueueFullError(
          result.of,
          this.config[result.of === 'model' ? 'openJobsPerModel' : 'openJobsPerProject'],
        );
    }
  }

  /** Best effort: no row refers to the bytes, so the collector deletes what stays. */
  private async discard(stored: StoredFile): Promise<void> {
    await this.store.delete(stored.uri).catch(() => this.log.warn(`left behind: ${stored.uri}`));
  }
}
