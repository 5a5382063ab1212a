import { Database, newId } from '@hone/database';
import { createTestDatabase, createTestUser, type TestDatabase } from '@hone/testing';

import { JobCheckpoints } from './job-checkpoints.repository.js';
import { JobControl, type JobDraft } from './job-control.repository.js';
import { jobError } from './job-error.js';
import { JobLease } from './job-lease.repository.js';
import { JobReader } from './job-reader.repository.js';
import { JobReaper } from './job-reaper.repository.js';
import type { TrainingJobRecord } from './job-record.js';
import { DEFAULT_JOB_TIMES, type JobTimes } from './job-times.js';
import type { Lease } from './lease.js';
import type { CheckpointDraft, ClaimedJob, PlanDraft } from './lease-drafts.js';

export const LIMITS = { perModel: 1_000, perProject: 100_000 };
export const BROKEN = jobError('data.bad_line', 'Line 7 is bad.');
export const FLAKY = jobError('storage.full', 'The artifact store is full.', { retryable: true });

/** A database with a project, and everything that moves jobs in it. */
export class TrainingBench {
  readonly userId = newId();
  readonly control: JobControl;
  readonly reader: JobReader;
  readonly reaper: JobReaper;
  readonly lease: JobLease;
  readonly checkpoints: JobCheckpoints;

  private constructor(
    readonly test: TestDatabase,
    readonly database: Database,
    readonly projectId: string,
    readonly times: JobTimes,
  ) {
    this.control = new JobControl(database, times);
    this.reader = new JobReader(database);
    this.reaper = new JobReaper(database, times);
    this.lease = new JobLease(database, times);
    this.checkpoints = new JobCheckpoints(database, times);
  }

  static async start(times: Partial<JobTimes> = {}): Promise<TrainingBench> {
    const test = await createTestDatabase();
    const database = Database.connect({ url: test.url, poolSize: 8, acquireTimeoutMs: 60_000 });
    const { id } = await createTestUser(test.db, 'trainer-of-models');
    const projectId = await aProject(test.db, id, 'project');
    return new TrainingBench(test, database, projectId, { ...DEFAULT_JOB_TIMES, retryDelaySeconds: 0.001, ...times });
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.test.drop();
  }

  async project(): Promise<string> {
    const [user] = await this.test.sql<{ id: string }>('SELECT id FROM users LIMIT 1');
    return aProject(this.test.db, user?.id as string, newId());
  }

  async model(projectId = this.projectId): Promise<{ id: string; projectId: string }> {
    const id = newId();
    const data = { projectId, id, name: id, baseModel: 'hone-tiny', runId: newId(), createdBy: this.userId };
    await this.test.db.client.trainableModel.create({ data });
    return { id, projectId };
  }

  async job(model: { id: string; projectId: string }, more: Partial<JobDraft> = {}): Promise<TrainingJobRecord> {
    const draft: JobDraft = {
      id: newId(),
      projectId: model.projectId,
      modelId: model.id,
      kind: 'rl',
      config: { learning_rate: 1e-5 },
      input: { uri: 'local:jobs/input.json', bytes: 2, sha256: 'aa' },
      data: { groups_submitted: 1, trajectories: 2 },
      createdBy: this.userId,
      ...more,
    };
    const result = await this.control.createJob(draft, LIMITS);
    if (result.outcome !== 'created') throw new Error(result.outcome);
    return result.job;
  }

  async claimed(owner = 'worker'): Promise<ClaimedJob> {
    const claimed = await this.lease.claim(owner);
    if (!claimed) throw new Error('There is no job to claim.');
    return claimed;
  }

  /** A job of a new model that a worker prepares. */
  async preparing(): Promise<Lease> {
    await this.job(await this.model());
    return (await this.claimed()).lease;
  }

  async running(numSequences = 2): Promise<Lease> {
    const lease = await this.preparing();
    await this.plan(lease, numSequences);
    return lease;
  }

  async cancelling(numSequences = 2): Promise<Lease> {
    const lease = await this.running(numSequences);
    await this.control.cancelJob(lease.jobId, this.userId);
    return lease;
  }

  async plan(lease: Lease, numSequences = 2): Promise<void> {
    await this.checkpoints.fixStart(lease, null);
    await this.lease.storePlan(lease, aPlan(numSequences));
  }

  async steps(lease: Lease, count: number): Promise<void> {
    for (let k = 1; k <= count; k++) await this.lease.recordStep(lease, k, { loss: k }, k * 10);
  }

  /** From the claim to the checkpoint. */
  async carryOut(lease: Lease, numSequences = 1): Promise<number> {
    await this.plan(lease, numSequences);
    await this.steps(lease, numSequences);
    return (await this.checkpoints.commit(lease, aCheckpoint())).step;
  }

  async find(jobId: string): Promise<TrainingJobRecord> {
    return (await this.reader.findJob(jobId)) as TrainingJobRecord;
  }

  async events(jobId: string): Promise<string[]> {
    const { records } = await this.reader.listEvents(await this.find(jobId), null, 1_000);
    return records.map(({ type }) => type);
  }

  /** Moves a time of a job into the past, as if it had passed. */
  async pass(jobId: string, column: string): Promise<void> {
    await this.test.sql(`UPDATE training_jobs SET ${column} = now() - interval '1 day' WHERE id = $1`, [jobId]);
  }
}

export const aPlan = (numSequences: number): PlanDraft => ({
  uri: 'local:jobs/plan.jsonl',
  sha256: 'bb',
  numSequences,
  learningRateScale: 1,
  tokens: { input: 40, trainable: 20, processed: 0 },
  data: { groups_trainable: 1, trajectories_trained: 2, dropped: {} },
  started: {
    num_sequences: numSequences,
    num_groups_submitted: 1,
    num_groups_trainable: 1,
    num_trajectories: 2,
    num_trainable_tokens: 20,
    parent_step: 0,
  },
});

export const aCheckpoint = (): CheckpointDraft => ({
  id: newId(),
  uri: `local:models/${newId()}`,
  bytes: 100,
  manifestSha256: 'cc',
  metrics: { 'loss/train': 0.5 },
  jobMetrics: { loss: 0.5 },
});

async function aProject(db: Database, userId: string, name: string): Promise<string> {
  const entity = await db.client.entity.findFirstOrThrow();
  const id = newId();
  await db.client.project.create({ data: { id, entityId: entity.id, name, createdBy: userId } });
  return id;
}
