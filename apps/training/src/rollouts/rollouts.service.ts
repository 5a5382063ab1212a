import type { ArtifactStore } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import { RawJson, type RolloutDetailDto, type RolloutDto, type RolloutListDto } from '@hone/contracts';
import { groupAdvantages } from '@hone/engine';
import { BodyThreads } from '@hone/platform';
import { JobReader, type TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { DataLines } from '../diagnosis/data-lines.js';
import { JobAccess } from '../jobs/job-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { type RolloutFile, type SentRollout, TASK } from './rollout-file.task.js';
import { RolloutNotFoundError, RolloutsNotKeptError } from './rollouts.errors.js';

/** Data up to this size is read where it is: a thread would take longer. */
const SMALL_BYTES = 262_144;
/** More is not shown, as of data that was sent. */
const MAX_BYTES = 64 * 1_048_576;
const POSITION = /^\d{1,9}$/;

/** Shows the rollouts that a job learned from. */
@Injectable()
export class RolloutsService {
  constructor(
    private readonly jobs: JobAccess,
    private readonly reader: JobReader,
    private readonly lines: DataLines,
    private readonly threads: BodyThreads,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /**
   * @throws JobNotFoundError, AccessDeniedError, BodiesBusyError
   * @throws RolloutsNotKeptError fine-tuning, or data of another server, or deleted, or above 64 MiB
   * @throws StoredFileMissingError, StoredFileCorruptError
   */
  async list(caller: Principal, jobId: string): Promise<RolloutListDto> {
    const { job } = await this.jobs.getReadable(caller, jobId);
    return { object: 'list', data: withAdvantages(await this.read(job, null), job.config) };
  }

  /** @throws as `list`. @throws RolloutNotFoundError */
  async get(caller: Principal, jobId: string, group: string, index: string): Promise<RolloutDetailDto> {
    const { job } = await this.jobs.getReadable(caller, jobId);
    const position = [group, index].map((text) => (POSITION.test(text) ? Number(text) : -1)) as [number, number];
    const sent = await this.read(job, position);
    const at = sent.findIndex(({ text }) => text !== undefined);
    const rollout = withAdvantages(sent, job.config)[at];
    if (!rollout) throw new RolloutNotFoundError(group, index);
    return { ...rollout, trajectory: new RawJson(sent[at]?.text as string) };
  }

  private async read(job: TrainingJobRecord, position: RolloutFile['position']): Promise<SentRollout[]> {
    const file = { ...(await this.dataOf(job)), position };
    return file.bytes.length > SMALL_BYTES ? this.threads.run(TASK, file) : TASK.run(file);
  }

  private async dataOf(job: TrainingJobRecord): Promise<Pick<RolloutFile, 'bytes' | 'format'>> {
    const { kind, input, trainingDataUrl: url, dataVersionId: versionId } = job;
    if (job.rollouts) return { bytes: await this.sampledBy(job), format: 'lines' };
    if (kind !== 'rl') throw new RolloutsNotKeptError('The job learned from examples, which are no rollouts.');
    if (input) {
      return { bytes: await this.store.read(input.uri, input.sha256), format: url === null ? 'body' : 'lines' };
    }
    const found = await this.lines.find({ url: url ?? '', versionId, lines: null });
    if ('issue' in found) throw new RolloutsNotKeptError(`The rollouts are not at hand: ${found.issue.message}`);
    return { bytes: found.lines, format: 'lines' };
  }

  /** What a job has sampled so far, by round: a group in each line. */
  private async sampledBy(job: TrainingJobRecord): Promise<Buffer> {
    const groups = await this.reader.listGroups(job, null);
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
    if (bytes > MAX_BYTES) throw new RolloutsNotKeptError(`The rollouts have more than ${MAX_BYTES} bytes.`);
    const lines: Buffer[] = [];
    for (const { uri, sha256 } of groups) lines.push(await this.store.read(uri, sha256));
    return Buffer.concat(lines);
  }
}

/** The advantages as the job's planner makes them of the same rewards. */
function withAdvantages(rollouts: readonly SentRollout[], config: Readonly<Record<string, unknown>>): RolloutDto[] {
  const isScaled = config['normalize_advantages'] !== false && config['scale_rewards'] !== false;
  const groups = new Map<number, SentRollout[]>();
  for (const rollout of rollouts) {
    const members = groups.get(rollout.group);
    if (members) members.push(rollout);
    else groups.set(rollout.group, [rollout]);
  }
  return [...groups.values()].flatMap((members) => {
    const advantages = groupAdvantages(
      members.map(({ reward }) => reward),
      isScaled,
    );
    return members.map(({ group, index, reward, initialPolicyVersion, metrics }, at) => ({
      group,
      index,
      reward,
      advantage: advantages?.[at] ?? null,
      initial_policy_version: initialPolicyVersion,
      metrics,
    }));
  });
}
