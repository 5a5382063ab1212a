/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  AliasSplitDto,
  AliasSplitPutDto,
  ArtifactDeletedDto,
  ArtifactPageDto,
  ArtifactUploadedDto,
  CheckpointAliasDto,
  CheckpointAliasListDto,
  CheckpointAliasPutDto,
  CheckpointDetailDto,
  CheckpointPageDto,
  CheckpointsDeleteDto,
  CheckpointsDeletedDto,
  DiagnosisDto,
  HealthDto,
  ImportedCheckpointDto,
  LineageDto,
  LoggedTrajectoryPageDto,
  PreferenceJobCreateDto,
  RlJobCreateDto,
  RolloutDetailDto,
  RolloutListDto,
  SftJobCreateDto,
  SystemCheckDto,
  TrainableModelCreateDto,
  TrainableModelDeletedDto,
  TrainableModelDetailDto,
  TrainableModelDto,
  TrainableModelPageDto,
  TrainingDataDto,
  TrainingDataFromCallsDto,
  TrainingDataPageDto,
  TrainingJobDto,
  TrainingJobEventPageDto,
  TrainingJobPageDto,
  TrajectoryLogDto,
  TrajectoryLoggedDto,
} from '@hone/contracts';

import type { RawBody, RequestOptions } from '../transport/request-options.js';

export interface TrainingEndpoints {
  /** List trainable models of the projects that the caller may read: `GET /v1/preview/models`. */
  listTrainableModels(
    params?: {
      order?: 'asc' | 'desc';
      entity?: string;
      project?: string;
      name?: string;
      limit?: number;
      after?: string;
    },
    options?: RequestOptions,
  ): Promise<TrainableModelPageDto>;
  /** Create a trainable model, or get the one of this name: `POST /v1/preview/models`. */
  createTrainableModel(body: TrainableModelCreateDto, options?: RequestOptions): Promise<TrainableModelDto>;
  /** Read a trainable model and what became of it: `GET /v1/preview/models/{model_id}`. */
  getTrainableModel(params: { model_id: string }, options?: RequestOptions): Promise<TrainableModelDetailDto>;
  /** Delete a trainable model with all that belongs to it: `DELETE /v1/preview/models/{model_id}`. */
  deleteTrainableModel(params: { model_id: string }, options?: RequestOptions): Promise<TrainableModelDeletedDto>;
  /** List the checkpoints of a model by step: `GET /v1/preview/models/{model_id}/checkpoints`. */
  listCheckpoints(
    params: { model_id: string; order?: 'asc' | 'desc'; limit?: number; after?: string },
    options?: RequestOptions,
  ): Promise<CheckpointPageDto>;
  /** Delete checkpoints by their steps: `DELETE /v1/preview/models/{model_id}/checkpoints`. */
  deleteCheckpoints(
    params: { model_id: string },
    body: CheckpointsDeleteDto,
    options?: RequestOptions,
  ): Promise<CheckpointsDeletedDto>;
  /** Read a checkpoint with its files: `GET /v1/preview/models/{model_id}/checkpoints/{step}`. */
  getCheckpoint(params: { model_id: string; step: string }, options?: RequestOptions): Promise<CheckpointDetailDto>;
  /** Download a file of a checkpoint: `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{path}`. */
  getCheckpointFile(
    params: { model_id: string; step: string; path: string },
    options?: RequestOptions,
  ): Promise<Response>;
  /** List the aliases of a model: `GET /v1/preview/models/{model_id}/aliases`. */
  listCheckpointAliases(params: { model_id: string }, options?: RequestOptions): Promise<CheckpointAliasListDto>;
  /** Let an alias name a checkpoint: `PUT /v1/preview/models/{model_id}/aliases/{alias}`. */
  putCheckpointAlias(
    params: { model_id: string; alias: string },
    body: CheckpointAliasPutDto,
    options?: RequestOptions,
  ): Promise<CheckpointAliasDto>;
  /** Delete an alias; the checkpoint stays: `DELETE /v1/preview/models/{model_id}/aliases/{alias}`. */
  deleteCheckpointAlias(
    params: { model_id: string; alias: string },
    options?: RequestOptions,
  ): Promise<CheckpointAliasDto>;
  /** Read which models answer the requests that name an alias: `GET /v1/preview/models/{model_id}/aliases/{alias}/split`. */
  getAliasSplit(params: { model_id: string; alias: string }, options?: RequestOptions): Promise<AliasSplitDto>;
  /** Let other models answer a share of the requests that name an alias, or answer them a second time: `PUT /v1/preview/models/{model_id}/aliases/{alias}/split`. */
  putAliasSplit(
    params: { model_id: string; alias: string },
    body: AliasSplitPutDto,
    options?: RequestOptions,
  ): Promise<AliasSplitDto>;
  /** End a split: the checkpoint of the alias answers all requests: `DELETE /v1/preview/models/{model_id}/aliases/{alias}/split`. */
  deleteAliasSplit(params: { model_id: string; alias: string }, options?: RequestOptions): Promise<AliasSplitDto>;
  /** Make an adapter that PEFT saved the next checkpoint of a model: `POST /v1/preview/models/{model_id}/checkpoints/import`. */
  importCheckpoint(
    params: { model_id: string },
    body: RawBody,
    options?: RequestOptions,
  ): Promise<ImportedCheckpointDto>;
  /** Download a checkpoint as an adapter that PEFT loads, a tar.gz: `GET /v1/preview/models/{model_id}/checkpoints/{step}/download`. */
  downloadCheckpoint(params: { model_id: string; step: string }, options?: RequestOptions): Promise<Response>;
  /** Log trajectory groups for a split: `POST /v1/preview/models/{model_id}/log`. */
  logTrajectories(
    params: { model_id: string },
    body: TrajectoryLogDto,
    options?: RequestOptions,
  ): Promise<TrajectoryLoggedDto>;
  /** List the logged trajectories of a model: `GET /v1/preview/models/{model_id}/trajectories`. */
  listTrajectories(
    params: { model_id: string; limit?: number; after?: string; split?: string; step?: number },
    options?: RequestOptions,
  ): Promise<LoggedTrajectoryPageDto>;
  /** Upload the next version of an artifact: `POST /v1/preview/artifacts/{entity}/{project}/{name}`. */
  uploadArtifact(
    params: { entity: string; project: string; name: string },
    body: RawBody,
    options?: RequestOptions,
  ): Promise<ArtifactUploadedDto>;
  /** List versions of artifacts of the projects that the caller may read: `GET /v1/preview/artifacts`. */
  listArtifacts(
    params?: { entity?: string; project?: string; name?: string; limit?: number; after?: string },
    options?: RequestOptions,
  ): Promise<ArtifactPageDto>;
  /** Download a file of a version of an artifact: `GET /v1/preview/artifacts/{entity}/{project}/{name}/{version}/files/{path}`. */
  getArtifactFile(
    params: { entity: string; project: string; name: string; version: string; path: string },
    options?: RequestOptions,
  ): Promise<Response>;
  /** Delete a version of an artifact: `DELETE /v1/preview/artifacts/{entity}/{project}/{name}/{version}`. */
  deleteArtifactVersion(
    params: { entity: string; project: string; name: string; version: string },
    options?: RequestOptions,
  ): Promise<ArtifactDeletedDto>;
  /** List training jobs: `GET /v1/preview/training-jobs`. */
  listTrainingJobs(
    params?: {
      order?: 'asc' | 'desc';
      entity?: string;
      project?: string;
      model_id?: string;
      kind?: 'rl' | 'sft' | 'preference';
      status?: 'queued' | 'preparing' | 'running' | 'cancelling' | 'cancelled' | 'succeeded' | 'failed';
      limit?: number;
      after?: string;
    },
    options?: RequestOptions,
  ): Promise<TrainingJobPageDto>;
  /** Train a model by reinforcement learning: `POST /v1/preview/training-jobs`. */
  createTrainingJob(body: RlJobCreateDto, options?: RequestOptions): Promise<TrainingJobDto>;
  /** Train a model by examples: `POST /v1/preview/sft-training-jobs`. */
  createSftTrainingJob(body: SftJobCreateDto, options?: RequestOptions): Promise<TrainingJobDto>;
  /** Train a model by preferences (DPO, IPO, ORPO, KTO): `POST /v1/preview/preference-training-jobs`. */
  createPreferenceTrainingJob(body: PreferenceJobCreateDto, options?: RequestOptions): Promise<TrainingJobDto>;
  /** Read a training job: `GET /v1/preview/training-jobs/{training_job_id}`. */
  getTrainingJob(params: { training_job_id: string }, options?: RequestOptions): Promise<TrainingJobDto>;
  /** Cancel a training job: `POST /v1/preview/training-jobs/{training_job_id}/cancel`. */
  cancelTrainingJob(params: { training_job_id: string }, options?: RequestOptions): Promise<TrainingJobDto>;
  /** List the events of a training job, as a page or as text/event-stream: `GET /v1/preview/training-jobs/{training_job_id}/events`. */
  listTrainingJobEvents(
    params: { training_job_id: string; wait?: number; limit?: number; after?: string },
    options?: RequestOptions,
  ): Promise<TrainingJobEventPageDto>;
  /** Say whether the service is up: `GET /v1/health`. */
  getHealth(options?: RequestOptions): Promise<HealthDto>;
  /** Say whether jobs would be trained: 503 with the same body when not: `GET /v1/system-check`. */
  checkSystem(options?: RequestOptions): Promise<SystemCheckDto>;
  /** Say what a reinforcement learning job would train, without making one: `POST /v1/preview/training-jobs/diagnose`. */
  diagnoseTrainingJob(body: RlJobCreateDto, options?: RequestOptions): Promise<DiagnosisDto>;
  /** Say what a fine-tuning job would train, without making one: `POST /v1/preview/sft-training-jobs/diagnose`. */
  diagnoseSftTrainingJob(body: SftJobCreateDto, options?: RequestOptions): Promise<DiagnosisDto>;
  /** Say what a job that learns from preferences would train, without making one: `POST /v1/preview/preference-training-jobs/diagnose`. */
  diagnosePreferenceTrainingJob(body: PreferenceJobCreateDto, options?: RequestOptions): Promise<DiagnosisDto>;
  /** Make training data of judged calls: `POST /v1/preview/training-data/from-calls`. */
  makeTrainingData(body: TrainingDataFromCallsDto, options?: RequestOptions): Promise<TrainingDataDto>;
  /** List training data that was made of calls, such as all that holds one call: `GET /v1/preview/training-data`. */
  listTrainingData(
    params?: { contains_call?: string; entity?: string; project?: string; limit?: number; after?: string },
    options?: RequestOptions,
  ): Promise<TrainingDataPageDto>;
  /** Read what a checkpoint learned from: jobs, data, calls and their feedback: `GET /v1/preview/checkpoints/{checkpoint_id}/lineage`. */
  getCheckpointLineage(
    params: { checkpoint_id: string; limit?: number; after?: string },
    options?: RequestOptions,
  ): Promise<LineageDto>;
  /** List the rollouts that a job learned from, without what was said: `GET /v1/preview/training-jobs/{training_job_id}/rollouts`. */
  listRollouts(params: { training_job_id: string }, options?: RequestOptions): Promise<RolloutListDto>;
  /** Read one rollout of a job, with its messages and tokens: `GET /v1/preview/training-jobs/{training_job_id}/rollouts/{group}/{index}`. */
  getRollout(
    params: { training_job_id: string; group: string; index: string },
    options?: RequestOptions,
  ): Promise<RolloutDetailDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const TRAINING = {
  listTrainableModels: 'GET jpr /v1/preview/models',
  createTrainableModel: 'POST jkd /v1/preview/models',
  getTrainableModel: 'GET jpr /v1/preview/models/{model_id}',
  deleteTrainableModel: 'DELETE jpr /v1/preview/models/{model_id}',
  listCheckpoints: 'GET jpr /v1/preview/models/{model_id}/checkpoints',
  deleteCheckpoints: 'DELETE jprd /v1/preview/models/{model_id}/checkpoints',
  getCheckpoint: 'GET jpr /v1/preview/models/{model_id}/checkpoints/{step}',
  getCheckpointFile: 'GET bpr /v1/preview/models/{model_id}/checkpoints/{step}/files/{path}',
  listCheckpointAliases: 'GET jpr /v1/preview/models/{model_id}/aliases',
  putCheckpointAlias: 'PUT jprd /v1/preview/models/{model_id}/aliases/{alias}',
  deleteCheckpointAlias: 'DELETE jpr /v1/preview/models/{model_id}/aliases/{alias}',
  getAliasSplit: 'GET jpr /v1/preview/models/{model_id}/aliases/{alias}/split',
  putAliasSplit: 'PUT jprd /v1/preview/models/{model_id}/aliases/{alias}/split',
  deleteAliasSplit: 'DELETE jpr /v1/preview/models/{model_id}/aliases/{alias}/split',
  importCheckpoint: 'POST jpd /v1/preview/models/{model_id}/checkpoints/import',
  downloadCheckpoint: 'GET bpr /v1/preview/models/{model_id}/checkpoints/{step}/download',
  logTrajectories: 'POST jpkd /v1/preview/models/{model_id}/log',
  listTrajectories: 'GET jpr /v1/preview/models/{model_id}/trajectories',
  uploadArtifact: 'POST jpd /v1/preview/artifacts/{entity}/{project}/{name}',
  listArtifacts: 'GET jpr /v1/preview/artifacts',
  getArtifactFile: 'GET bpr /v1/preview/artifacts/{entity}/{project}/{name}/{version}/files/{path}',
  deleteArtifactVersion: 'DELETE jpr /v1/preview/artifacts/{entity}/{project}/{name}/{version}',
  listTrainingJobs: 'GET jpr /v1/preview/training-jobs',
  createTrainingJob: 'POST jkd /v1/preview/training-jobs',
  createSftTrainingJob: 'POST jkd /v1/preview/sft-training-jobs',
  createPreferenceTrainingJob: 'POST jkd /v1/preview/preference-training-jobs',
  getTrainingJob: 'GET jpr /v1/preview/training-jobs/{training_job_id}',
  cancelTrainingJob: 'POST jpk /v1/preview/training-jobs/{training_job_id}/cancel',
  listTrainingJobEvents: 'GET jpr /v1/preview/training-jobs/{training_job_id}/events',
  getHealth: 'GET jr /v1/health',
  checkSystem: 'GET jr /v1/system-check',
  diagnoseTrainingJob: 'POST jrd /v1/preview/training-jobs/diagnose',
  diagnoseSftTrainingJob: 'POST jrd /v1/preview/sft-training-jobs/diagnose',
  diagnosePreferenceTrainingJob: 'POST jrd /v1/preview/preference-training-jobs/diagnose',
  makeTrainingData: 'POST jd /v1/preview/training-data/from-calls',
  listTrainingData: 'GET jpr /v1/preview/training-data',
  getCheckpointLineage: 'GET jpr /v1/preview/checkpoints/{checkpoint_id}/lineage',
  listRollouts: 'GET jpr /v1/preview/training-jobs/{training_job_id}/rollouts',
  getRollout: 'GET jpr /v1/preview/training-jobs/{training_job_id}/rollouts/{group}/{index}',
} as const;
