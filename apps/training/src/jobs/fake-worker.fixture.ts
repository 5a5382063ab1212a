import { Database, newId } from '@hone/database';
import { type ClaimedJob, JobCheckpoints, JobLease, type Lease } from '@hone/training-jobs';

import { DEFAULT_TRAINING_CONFIG } from '../config/training.config.js';

/** A trainer without an engine: does to a job what a trainer does, step by step. */
export class FakeWorker {
  readonly lease: JobLease;
  private readonly checkpoints: JobCheckpoints;

  constructor(database: Database, times = DEFAULT_TRAINING_CONFIG.jobTimes) {
    this.lease = new JobLease(database, times);
    this.checkpoints = new JobCheckpoints(database, times);
  }

  async claim(): Promise<ClaimedJob> {
    const claimed = await this.lease.claim('hands');
    if (!claimed) throw new Error('There is no job to claim.');
    return claimed;
  }

  async start(numSequences: number): Promise<Lease> {
    const { lease } = await this.claim();
    await this.checkpoints.fixStart(lease, null);
    await this.lease.storePlan(lease, {
      uri: 'local:jobs/plan.jsonl',
      sha256: 'bb',
      numSequences,
      learningRateScale: 1,
      tokens: { input: 40, trainable: 20, processed: 0 },
      data: { groups_trainable: 1, trajectories_trained: 2, dropped: { zero_advantage: 1 } },
      started: {
        num_sequences: numSequences,
        num_groups_submitted: 1,
        num_groups_trainable: 1,
        num_trajectories: 2,
        num_trainable_tokens: 20,
        parent_step: 0,
      },
    });
    return lease;
  }

  async step(lease: Lease, k: number): Promise<void> {
    await this.lease.recordStep(lease, k, { loss: k / 4, grad_norm: 0.5 }, k * 10);
  }

  /** Returns the step of the checkpoint. */
  async commit(lease: Lease): Promise<number> {
    const { step } = await this.checkpoints.commit(lease, {
      id: newId(),
      uri: `local:models/${newId()}`,
      bytes: 100,
      manifestSha256: 'cc',
      metrics: { 'loss/train': 0.5 },
      jobMetrics: { loss: 0.5 },
    });
    return step;
  }

  /** From the claim to the checkpoint. */
  async carryOut(numSequences: number): Promise<Lease> {
    const lease = await this.start(numSequences);
    for (let k = 1; k <= numSequences; k++) await this.step(lease, k);
    await this.commit(lease);
    return lease;
  }
}
