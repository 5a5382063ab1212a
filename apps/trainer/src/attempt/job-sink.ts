import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { type ArtifactStore, StorageUnavailableError } from '@hone/artifacts';
import type { StepMetrics, StoredPart, TrainingSink } from '@hone/engine';
import { JobCheckpoints, JobLease, type Lease } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import type { PlannedJob } from '../planning/job-planner.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { TrainerMetrics } from '../telemetry/trainer-metrics.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { Attempt } from './attempt.js';
import { checkpointMetrics, VALIDATION_METRICS } from './checkpoint-metrics.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import { StepWatch } from './step-watch.js';

/** The services that the sinks of all attempts write to. */
@Injectable()
export class JobSinks {
  constructor(
    readonly jobs: JobLease,
    readonly checkpoints: JobCheckpoints,
    readonly writer: CheckpointWriter,
    @Inject(ARTIFACT_STORE) readonly store: ArtifactStore,
    readonly log: TrainerLog,
    readonly metrics: TrainerMetrics,
  ) {}

  /** @param more metrics of every step */
  open(attempt: Attempt, workspace: AttemptWorkspace, planned: PlannedJob, more: StepMetrics = {}): JobSink {
    return new JobSink(this, attempt, workspace, planned, more);
  }
}

/** Records what the engine reports, under the job's lease. */
export class JobSink implements TrainingSink {
  private processedTokens = 0;
  private readonly watch: StepWatch;

  constructor(
    private readonly to: JobSinks,
    private readonly attempt: Attempt,
    private readonly workspace: AttemptWorkspace,
    private readonly planned: PlannedJob,
    private readonly more: StepMetrics,
  ) {
    const { settings } = attempt;
    this.watch = new StepWatch(settings.kind === 'preference' ? settings.config : null);
  }

  /** Tokens of the rows that have been trained so far. */
  get tokensProcessed(): number {
    return this.processedTokens;
  }

  private get lease(): Lease {
    return this.attempt.lease;
  }

  /** Number of a step within the job. @param k within the plan, which may be of a round */
  private inJob(k: number): number {
    return this.attempt.job.roundBase + k;
  }

  async step(k: number, metrics: StepMetrics): Promise<void> {
    this.attempt.keeper.phase = 'training';
    // A step that early stopping skips processes no tokens.
    const tokens = this.planned.tokensAfter[(metrics['stopped_after_step'] ?? k) - 1] ?? 0;
    this.processedTokens = tokens;
    const warnings = this.watch.look(k, metrics);
    const all = { ...metrics, ...this.more };
    await this.writing(() => this.to.jobs.recordStep(this.lease, this.inJob(k), all, tokens, warnings));
    this.to.metrics.step();
  }

  async checkpoint(k: number, part: StoredPart): Promise<void> {
    const { jobs, checkpoints, writer, log } = this.to;
    const { job, lease, settings } = this.attempt;
    const at = this.inJob(k);
    if (await this.writing(() => checkpoints.hasCheckpoint(lease, at))) {
      await rm(fileURLToPath(part.uri), { recursive: true, force: true });
      return;
    }
    const stored = await writer.write(lease, part, this.workspace);
    const last = await this.writing(() => jobs.findLastValues(lease, VALIDATION_METRICS, at));
    const means = { ...(await this.writing(() => jobs.findStepMeans(lease, at, job.roundBase))), ...last };
    const { draft, tokensAfter } = this.planned;
    const metrics = checkpointMetrics(settings, draft, {
      means,
      validationLoss: last['validation_loss'],
      trainerTokens: tokensAfter[k - 1] ?? 0,
      gradientSteps: at,
    });
    const added = await this.writing(() =>
      checkpoints.addIntermediate(lease, at, { ...stored, engine: this.attempt.engine.remoteName, metrics }),
    );
    if (added)
      log.info({ job_id: job.id, model_id: job.modelId, step: added.step }, 'a checkpoint was made on the way');
  }

  async resumePoint(k: number, part: StoredPart): Promise<void> {
    const { jobId, attempt } = this.lease;
    let uri: string;
    try {
      ({ uri } = await this.workspace.keep(
        fileURLToPath(part.uri),
        `jobs/${jobId}/resume-a${attempt}-${this.inJob(k)}`,
      ));
    } catch (error) {
      // The job continues without a resume point: the disk may have room when the checkpoint is written.
      if (!(error instanceof StorageUnavailableError)) throw error;
      this.to.log.warn({ job_id: jobId, step: k, code: error.code }, 'a resume point could not be stored');
      return;
    }
    const before = await this.writing(() =>
      this.to.jobs.recordResumePoint(this.lease, { uri, sha256: part.sha256, step: k }),
    );
    if (before !== null && before !== uri) await this.to.store.delete(before);
  }

  log(text: string): void {
    this.to.log.warn({ job_id: this.lease.jobId, text }, 'the engine wrote');
  }

  private writing<T>(work: () => Promise<T>): Promise<T> {
    return whenDatabaseAnswers(work, this.attempt.keeper.signal);
  }
}
