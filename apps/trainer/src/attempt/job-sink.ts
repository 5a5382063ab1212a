import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { StorageUnavailableError } from '@hone/artifacts';
import type { StepMetrics, StoredPart, TrainingSink } from '@hone/engine';
import type { ClaimedJob, Lease } from '@hone/training-jobs';

import type { PlannedJob } from '../planning/job-planner.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import type { AttemptTools } from './attempt-tools.js';
import { checkpointMetrics, VALIDATION_METRICS } from './checkpoint-metrics.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { StepWatch } from './step-watch.js';
import { whenDatabaseAnswers } from './when-database-answers.js';

/** Records what the engine reports, under the job's lease. */
export class JobSink implements TrainingSink {
  #tokensProcessed = 0;
  private readonly watch = new StepWatch();

  constructor(
    private readonly tools: Pick<
      AttemptTools,
      'jobs' | 'checkpoints' | 'writer' | 'store' | 'log' | 'metrics' | 'engine'
    >,
    private readonly claimed: ClaimedJob,
    private readonly keeper: LeaseKeeper,
    private readonly workspace: AttemptWorkspace,
    private readonly planned: PlannedJob,
  ) {}

  /** Of the rows that have been trained so far. */
  get tokensProcessed(): number {
    return this.#tokensProcessed;
  }

  private get lease(): Lease {
    return this.claimed.lease;
  }

  async step(k: number, metrics: StepMetrics): Promise<void> {
    this.keeper.phase = 'training';
    // A step that early stopping leaves out processes nothing.
    const tokens = this.planned.tokensAfter[(metrics['stopped_after_step'] ?? k) - 1] ?? 0;
    this.#tokensProcessed = tokens;
    const warnings = this.claimed.job.kind === 'rl' ? this.watch.look(metrics) : [];
    await this.writing(() => this.tools.jobs.recordStep(this.lease, k, metrics, tokens, warnings));
    this.tools.metrics.step();
  }

  async checkpoint(k: number, part: StoredPart): Promise<void> {
    const { jobs, checkpoints, writer, log, engine } = this.tools;
    const { job, lease } = this.claimed;
    if (await this.writing(() => checkpoints.hasCheckpoint(lease, k))) {
      await rm(fileURLToPath(part.uri), { recursive: true, force: true });
      return;
    }
    const stored = await writer.write(lease, part, this.workspace);
    const last = await this.writing(() => jobs.findLastValues(lease, VALIDATION_METRICS, k));
    const means = { ...(await this.writing(() => jobs.findStepMeans(lease, k))), ...last };
    const { draft, tokensAfter } = this.planned;
    const metrics = checkpointMetrics(job, draft, {
      means,
      validationLoss: last['validation_loss'],
      trainerTokens: tokensAfter[k - 1] ?? 0,
      gradientSteps: k,
    });
    const added = await this.writing(() =>
      checkpoints.addIntermediate(lease, k, { ...stored, engine: engine.remoteName, metrics }),
    );
    if (added)
      log.info({ job_id: job.id, model_id: job.modelId, step: added.step }, 'a checkpoint was made on the way');
  }

  async resumePoint(k: number, part: StoredPart): Promise<void> {
    const { jobId, attempt } = this.lease;
    let uri: string;
    try {
      ({ uri } = await this.workspace.keep(fileURLToPath(part.uri), `jobs/${jobId}/resume-a${attempt}-${k}`));
    } catch (error) {
      // The job continues without a resume point: the disk may have room when the checkpoint is written.
      if (!(error instanceof StorageUnavailableError)) throw error;
      this.tools.log.warn({ job_id: jobId, step: k, code: error.code }, 'a resume point could not be stored');
      return;
    }
    const before = await this.writing(() =>
      this.tools.jobs.recordResumePoint(this.lease, { uri, sha256: part.sha256, step: k }),
    );
    if (before !== null && before !== uri) await this.tools.store.delete(before);
  }

  log(text: string): void {
    this.tools.log.warn({ job_id: this.lease.jobId, text }, 'the engine wrote');
  }

  private writing<T>(work: () => Promise<T>): Promise<T> {
    return whenDatabaseAnswers(work, this.keeper.signal);
  }
}
