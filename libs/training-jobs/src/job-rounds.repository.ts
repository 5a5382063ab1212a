import { Database } from '@hone/database';

import { toJobRecord } from './job.mapper.js';
import type { JobCheckpoints } from './job-checkpoints.repository.js';
import { lockHeldJob } from './job-lease.repository.js';
import { JobReader } from './job-reader.repository.js';
import type { JobData, RolloutCounts, TrainingJobRecord } from './job-record.js';
import type { JobTimes } from './job-times.js';
import { JobTransitions, type LockedJob, seconds } from './job-transitions.repository.js';
import type { Lease } from './lease.js';
import type { GroupDraft, ModelNames, PinnedCheckpoint, RoundState } from './lease-drafts.js';

const NOTHING: RolloutCounts = {
  ...{ prompts: 0, answers: 0, graded: 0, failures: {}, costNanoUsd: 0 },
  ...{ rounds: null, lastRewardMean: null },
};

/** The rollouts that a job samples for itself. What is settled here is never sampled, or paid for, again. */
export class JobRounds {
  private readonly transitions: JobTransitions;
  private readonly reader: JobReader;

  constructor(
    private readonly database: Database,
    private readonly checkpoints: JobCheckpoints,
    private readonly times: JobTimes,
  ) {
    this.transitions = new JobTransitions(database, times);
    this.reader = new JobReader(database);
  }

  /** @param start what the job started from */
  async read({ projectId, jobId }: Lease, start: PinnedCheckpoint | null): Promise<RoundState> {
    const row = await this.database.client.trainingJob.findUniqueOrThrow({ where: { id: jobId } });
    const job = toJobRecord(row);
    const parent = (await this.checkpoints.findRoundParent(job)) ?? start;
    return { job, parent, groups: await this.reader.listGroups({ projectId, id: jobId }, job.roundsDone) };
  }

  async findNames({ projectId, modelId }: Lease): Promise<ModelNames> {
    const [names] = await this.database.client.$queryRaw<ModelNames[]>`
      SELECT e.name || '/' || p.name AS "projectId", m.name AS model
      FROM trainable_models m JOIN projects p ON p.id = m.project_id JOIN entities e ON e.id = p.entity_id
      WHERE m.project_id = ${projectId}::uuid AND m.id = ${modelId}::uuid`;
    if (!names) throw new Error(`Model ${modelId} has no names.`);
    return names;
  }

  /** Settles a group, once, and extends the lease. @throws LeaseLostError nothing was settled */
  async settle(lease: Lease, draft: GroupDraft): Promise<void> {
    await this.database.transaction(async () => {
      const job = await lockHeldJob(this.database, lease, ['preparing', 'running']);
      const data = {
        ...draft,
        ...{ projectId: job.projectId, jobId: job.id, failures: { ...draft.failures } },
        ...{ bytes: BigInt(draft.bytes), costNanoUsd: BigInt(draft.costNanoUsd) },
      };
      // A try whose answer was lost may have been committed.
      const { count } = await this.database.client.trainingJobGroup.createMany({ data: [data], skipDuplicates: true });
      if (count > 0) await this.count(job, (counts) => withGroup(counts, draft));
    });
  }

  /** Records how many rounds there are in all. @throws LeaseLostError */
  async setRounds(lease: Lease, rounds: number): Promise<void> {
    await this.database.transaction(async () => {
      const job = await lockHeldJob(this.database, lease, ['preparing', 'running']);
      await this.count(job, (counts) => ({ ...counts, rounds }));
    });
  }

  private async count(job: LockedJob, change: (counts: RolloutCounts) => RolloutCounts): Promise<void> {
    const { data } = (await this.database.client.trainingJob.findUniqueOrThrow({
      where: { id: job.id },
      select: { data: true },
    })) as { data: JobData };
    const counted: Pick<TrainingJobRecord['data'], 'rollouts'> = { rollouts: change(data.rollouts ?? NOTHING) };
    await this.database.client.$executeRaw`
      UPDATE training_jobs SET data = data || ${JSON.stringify(counted)}::jsonb, last_step_at = now(),
        lease_expires_at = now() + ${seconds(this.times.leaseSeconds)}
      WHERE project_id = ${job.projectId}::uuid AND id = ${job.id}::uuid`;
    await this.transitions.notifyReaders(job);
  }
}

function withGroup(counts: RolloutCounts, { answers, graded, failures, costNanoUsd }: GroupDraft): RolloutCounts {
  const all = { ...counts.failures };
  for (const [code, count] of Object.entries(failures)) all[code] = (all[code] ?? 0) + count;
  return {
    ...counts,
    prompts: counts.prompts + 1,
    answers: counts.answers + answers,
    graded: counts.graded + graded,
    failures: all,
    costNanoUsd: counts.costNanoUsd + costNanoUsd,
  };
}
