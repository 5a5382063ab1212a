import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import { Database } from '@hone/database';
import { Readiness } from '@hone/platform';
import { ServiceClientModule } from '@hone/service-client';
import { JobCheckpoints, JobLease, JobRounds } from '@hone/training-jobs';
import { type DynamicModule, Inject, Module } from '@nestjs/common';

import { AttemptService } from './attempt/attempt.service.js';
import { AttemptRunner } from './attempt/attempt-runner.js';
import { CheckpointWriter } from './attempt/checkpoint-writer.js';
import { JobSinks } from './attempt/job-sink.js';
import { PlannedTraining } from './attempt/planned-training.js';
import { RoundsService } from './attempt/rounds.service.js';
import { CollectorService } from './collector/collector.service.js';
import { GarbageRepository } from './collector/garbage.repository.js';
import { TRAINER_CONFIG, type TrainerConfig } from './config/trainer.config.js';
import { ARTIFACT_STORE, JOB_ENGINES, REMOTE_ENGINES } from './config/trainer.tokens.js';
import { ArtifactVersionRepository } from './data/artifact-version.repository.js';
import { Downloader } from './data/downloader.js';
import { TrainingData } from './data/training-data.js';
import { EngineModelsRepository } from './engines/engine-models.repository.js';
import { makeJobEngines, makeRemoteEngines } from './engines/make-engines.js';
import { OrphanModelsService } from './engines/orphan-models.service.js';
import { JobPlanner } from './planning/job-planner.js';
import { Grader } from './rollouts/grader.service.js';
import { GroupMaker } from './rollouts/group-maker.service.js';
import { RoundRollouts } from './rollouts/round-rollouts.js';
import { RoundSampler } from './rollouts/round-sampler.service.js';
import { Sampler } from './rollouts/sampler.service.js';
import { ServiceCalls } from './rollouts/service-calls.js';
import { TrainerLog } from './telemetry/trainer-log.js';
import { TrainerMetrics } from './telemetry/trainer-metrics.js';
import { WorkerRepository } from './worker/worker.repository.js';
import { WorkerService } from './worker/worker.service.js';

/**
 * The worker: takes jobs from the database, trains on this machine, writes checkpoints.
 * Its layers, top first; an import may only point down (lint):
 *
 * - collector: deletes stored bytes that nothing refers to -> worker, workspace, telemetry, config
 * - worker: claims jobs and runs their attempts -> attempt, engines, telemetry, config
 * - attempt: one attempt, from the claim to the checkpoint -> engines, planning, rollouts, workspace, database, telemetry, config
 * - engines: this process's engine, and training servers with the models that jobs make there -> telemetry, config
 * - planning: the plan of a job, made in a process of its own -> data, workspace, config
 * - rollouts: samples and grades the rollouts of jobs that bring none -> data, workspace, database, config
 * - data: fetches the input of a job -> workspace, config
 * - workspace: the folder of an attempt, and resume points
 * - database: waits while the database does not answer
 * - telemetry: log and metrics
 * - config: settings and injection tokens
 */
@Module({})
export class TrainerModule {
  constructor(@Inject(ARTIFACT_STORE) store: ArtifactStore, readiness: Readiness) {
    readiness.add('artifacts', () => store.ping());
  }

  static forRoot(readConfig: () => TrainerConfig): DynamicModule {
    return {
      module: TrainerModule,
      imports: [ServiceClientModule.forRoot()],
      providers: [
        { provide: TRAINER_CONFIG, useFactory: readConfig },
        {
          provide: ARTIFACT_STORE,
          useFactory: ({ dataDir }: TrainerConfig) => openArtifactStore(dataDir),
          inject: [TRAINER_CONFIG],
        },
        {
          provide: JobLease,
          useFactory: (database: Database, { jobTimes }: TrainerConfig) => new JobLease(database, jobTimes),
          inject: [Database, TRAINER_CONFIG],
        },
        {
          provide: JobCheckpoints,
          useFactory: (database: Database, { jobTimes }: TrainerConfig) => new JobCheckpoints(database, jobTimes),
          inject: [Database, TRAINER_CONFIG],
        },
        {
          provide: JobRounds,
          useFactory: (database: Database, checkpoints: JobCheckpoints, { jobTimes }: TrainerConfig) =>
            new JobRounds(database, checkpoints, jobTimes),
          inject: [Database, JobCheckpoints, TRAINER_CONFIG],
        },
        {
          provide: Downloader,
          useFactory: ({ download }: TrainerConfig) => new Downloader(download),
          inject: [TRAINER_CONFIG],
        },
        {
          provide: REMOTE_ENGINES,
          useFactory: makeRemoteEngines,
          inject: [TRAINER_CONFIG, EngineModelsRepository, TrainerMetrics],
        },
        { provide: JOB_ENGINES, useFactory: makeJobEngines, inject: [TRAINER_CONFIG, REMOTE_ENGINES] },
        ArtifactVersionRepository,
        AttemptRunner,
        AttemptService,
        CheckpointWriter,
        CollectorService,
        EngineModelsRepository,
        GarbageRepository,
        Grader,
        GroupMaker,
        JobPlanner,
        JobSinks,
        OrphanModelsService,
        PlannedTraining,
        RoundRollouts,
        RoundSampler,
        RoundsService,
        Sampler,
        ServiceCalls,
        TrainerLog,
        TrainerMetrics,
        TrainingData,
        WorkerRepository,
        WorkerService,
      ],
    };
  }
}
