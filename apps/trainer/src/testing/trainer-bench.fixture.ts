import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import type { TrainingJobKind } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import {
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  until,
} from '@hone/testing';
import {
  DEFAULT_JOB_TIMES,
  findBrokenInvariants,
  JobControl,
  type JobDraft,
  JobReader,
  JobReaper,
  type JobTimes,
  type TrainingJobRecord,
} from '@hone/training-jobs';

/** For tests that start processes, on a machine that has other things to do. */
export const LONG_MS = 300_000;

const POLL_MS = 20;
const REAP_MS = 100;
const LIMITS = { perModel: 1_000, perProject: 1_000 };

/** Every file of a checkpoint -> SHA-256, but for those that name the attempt. */
export type CheckpointHashes = Readonly<Record<string, string>>;

/** A database, a data folder, the service's half of the job protocol, and trainers as they run in production. */
export class TrainerBench {
  readonly store: ArtifactStore;
  readonly control: JobControl;
  readonly reader: JobReader;
  private readonly reaper: NodeJS.Timeout;
  private readonly trainers: ServiceProcess[] = [];

  private constructor(
    readonly test: TestDatabase,
    readonly database: Database,
    readonly dataDir: string,
    readonly projectId: string,
    readonly times: JobTimes,
    private readonly variables: Record<string, string>,
  ) {
    this.store = openArtifactStore(dataDir);
    this.control = new JobControl(database, times);
    this.reader = new JobReader(database);
    const reaper = new JobReaper(database, times);
    this.reaper = setInterval(() => void reaper.reap().catch(() => undefined), REAP_MS);
  }

  static async start(times: Partial<JobTimes> = {}, variables: Record<string, string> = {}): Promise<TrainerBench> {
    const test = await createTestDatabase();
    const database = Database.connect({ url: test.url, poolSize: 4, acquireTimeoutMs: LONG_MS });
    const dataDir = await mkdtemp(join(tmpdir(), 'hone-trainer-'));
    const user = await createTestUser(test.db, 'owner');
    const { id: entityId } = await test.db.client.entity.findFirstOrThrow();
    const data = { id: newId(), entityId, name: 'project', createdBy: user.id };
    const { id } = await test.db.client.project.create({ data });
    const all = { ...DEFAULT_JOB_TIMES, retryDelaySeconds: 0.01, ...times };
    return new TrainerBench(test, database, dataDir, id, all, variables);
  }

  async close(): Promise<void> {
    for (const { stop } of this.trainers) await stop('SIGKILL');
    clearInterval(this.reaper);
    expect(await findBrokenInvariants(this.database)).toEqual([]);
    await this.database.close();
    await this.test.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** A trainer with the times of this bench. */
  async trainer(more: Record<string, string> = {}): Promise<ServiceProcess> {
    const trainer = await startService('trainer', {
      DATABASE_URL: this.test.url,
      HONE_DATA_DIR: this.dataDir,
      HONE_TRAINER_THREADS: '1',
      HONE_TRAINING_LEASE_S: String(this.times.leaseSeconds),
      HONE_TRAINING_HEARTBEAT_S: String(this.times.heartbeatSeconds),
      HONE_TRAINING_RETRY_DELAY_S: String(this.times.retryDelaySeconds),
      ...this.variables,
      ...more,
    });
    this.trainers.push(trainer);
    return trainer;
  }

  async model(baseModel = 'hone-tiny'): Promise<string> {
    const id = newId();
    const data = { projectId: this.projectId, id, name: id, baseModel, runId: newId(), createdBy: newId() };
    await this.test.db.client.trainableModel.create({ data });
    return id;
  }

  async rlJob(modelId: string, groups: readonly object[], config: object = {}): Promise<TrainingJobRecord> {
    return this.job(modelId, 'rl', config, JSON.stringify({ trajectory_groups: groups }));
  }

  async sftJob(modelId: string, lines: readonly unknown[], config: object = {}): Promise<TrainingJobRecord> {
    return this.job(modelId, 'sft', config, textOf(lines));
  }

  async preferenceJob(modelId: string, lines: readonly unknown[], config: object = {}): Promise<TrainingJobRecord> {
    return this.job(modelId, 'preference', config, textOf(lines));
  }

  /** @param input null: what `more` says */
  async job(
    modelId: string,
    kind: TrainingJobKind,
    config: object,
    input: string | null,
    more: Partial<JobDraft> = {},
  ): Promise<TrainingJobRecord> {
    const id = newId();
    const stored = input === null ? null : await this.store.put(`jobs/${id}/input.json`, Buffer.from(input));
    const draft = { id, projectId: this.projectId, modelId, kind, config, data: {}, createdBy: newId() };
    const result = await this.control.createJob({ ...draft, input: stored, ...more }, LIMITS);
    if (result.outcome !== 'created') throw new Error(result.outcome);
    return result.job;
  }

  async find(jobId: string): Promise<TrainingJobRecord> {
    return (await this.reader.findJob(jobId)) as TrainingJobRecord;
  }

  /** What its latest trainer counts, as Prometheus reads it. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.trainers.at(-1)?.url}/metrics`)).text();
  }

  /** The trainer that holds a job. */
  holderOf({ leaseOwner }: TrainingJobRecord): ServiceProcess {
    const holder = this.trainers.find(({ child }) => leaseOwner?.includes(`-${child.pid}-`));
    if (!holder) throw new Error(`No trainer is ${leaseOwner}.`);
    return holder;
  }

  /** Stops a trainer amid its job, at a moment in which it keeps nobody else from the job's row. */
  async freeze({ child }: ServiceProcess, jobId: string): Promise<void> {
    await until(async () => {
      child.kill('SIGSTOP');
      await sleep(200); // what it has sent arrives
      const rows = await this.test.sql('SELECT 1 FROM training_jobs WHERE id = $1 FOR UPDATE SKIP LOCKED', [jobId]);
      if (rows.length === 0) child.kill('SIGCONT');
      return rows.length > 0;
    }, 'a moment without a lock');
  }

  /** As if the worker had been silent for longer than its lease. */
  async loseLease(jobId: string): Promise<void> {
    await this.test.sql(`UPDATE training_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
      jobId,
    ]);
  }

  /** The same, and as if the wait for the next attempt were over. */
  async expireLease(jobId: string): Promise<void> {
    await this.loseLease(jobId);
    await this.until(jobId, ({ status }) => status === 'queued');
    await this.test.sql(`UPDATE training_jobs SET available_at = now() - interval '1 second' WHERE id = $1`, [jobId]);
  }

  /** The job as soon as it is as it should be. @throws Error it has ended otherwise, or a trainer has ended by itself */
  async until(jobId: string, isRight: (job: TrainingJobRecord) => boolean): Promise<TrainingJobRecord> {
    for (;;) {
      const job = await this.find(jobId);
      if (isRight(job)) return job;
      if (job.finishedAt !== null) throw new Error(`Job ended: ${job.status} ${JSON.stringify(job.error)}`);
      this.assertTrainersAlive();
      await sleep(POLL_MS);
    }
  }

  /** Nobody would take the job on, and the spec would wait until its own limit. */
  private assertTrainersAlive(): void {
    for (const { child, output } of this.trainers) {
      const end = child.signalCode ?? child.exitCode;
      if (end !== null && !child.killed) throw new Error(`A trainer ended by itself (${end}):\n${output()}`);
    }
  }

  /** The job when it is over. */
  ended(jobId: string): Promise<TrainingJobRecord> {
    return this.until(jobId, ({ finishedAt }) => finishedAt !== null);
  }

  async events(jobId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const { records } = await this.reader.listEvents(await this.find(jobId), null, 10_000);
    return records.map(({ type, data }) => ({ type, data: data as unknown as Record<string, unknown> }));
  }

  async checkpoint(modelId: string, step: number) {
    return this.test.db.client.checkpoint.findFirstOrThrow({ where: { modelId, step } });
  }

  /** The checkpoint's files and their hashes, as its manifest says. */
  async hashes(modelId: string, step: number): Promise<CheckpointHashes> {
    const { uri, manifestSha256 } = await this.checkpoint(modelId, step);
    const manifest = JSON.parse((await this.store.read(`${uri}/manifest.json`, manifestSha256)).toString()) as {
      files: { path: string; sha256: string }[];
    };
    return Object.fromEntries(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  }
}

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
