import { Database } from '@hone/database';

import { toGroup, toJobEventRecord, toJobRecord } from './job.mapper.js';
import type { JobEventRecord } from './job-events.js';
import type { JobKind, JobStatus, TrainingJobRecord } from './job-record.js';
import type { GroupDraft } from './lease-drafts.js';

/** Filters of the list; an absent one does not apply. */
export interface JobFilter {
  /** Ids of projects; empty: nothing is found. */
  readonly projectIds?: readonly string[];
  readonly modelId?: string;
  readonly kind?: JobKind;
  readonly status?: JobStatus;
}

export interface JobPageRequest {
  /** Id of the last job seen; null: from the start. Whether it was ever in the list is the caller's to find out. */
  readonly after: string | null;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

export interface RecordPage<T> {
  readonly records: readonly T[];
  readonly hasMore: boolean;
}

/** Reads jobs and their events. */
export class JobReader {
  constructor(private readonly database: Database) {}

  async findJob(id: string): Promise<TrainingJobRecord | null> {
    const row = await this.database.client.trainingJob.findUnique({ where: { id } });
    return row && toJobRecord(row);
  }

  /** Jobs by id, which is the order they were created in. */
  async listJobs(filter: JobFilter, { after, limit, order }: JobPageRequest): Promise<RecordPage<TrainingJobRecord>> {
    const { projectIds, modelId, kind, status } = filter;
    const rows = await this.database.client.trainingJob.findMany({
      where: {
        projectId: projectIds && { in: [...projectIds] },
        modelId,
        kind,
        status,
        id: after === null ? undefined : order === 'asc' ? { gt: after } : { lt: after },
      },
      orderBy: { id: order },
      take: limit + 1,
    });
    return { records: rows.slice(0, limit).map(toJobRecord), hasMore: rows.length > limit };
  }

  /** Job id -> position in the queue, 1 = next. A job that is not queued is not in it. */
  async queuePositions(jobIds: readonly string[]): Promise<Map<string, number>> {
    if (jobIds.length === 0) return new Map();
    const rows = await this.database.client.$queryRaw<{ id: string; position: number }[]>`
      SELECT j.id, (1 + (SELECT count(*) FROM training_jobs older
        WHERE older.status = 'queued' AND older.ordinal < j.ordinal))::int AS position
      FROM training_jobs j WHERE j.id = ANY (${[...jobIds]}::uuid[]) AND j.status = 'queued'`;
    return new Map(rows.map(({ id, position }) => [id, position]));
  }

  /** Events after `afterSeq`, ascending; null: from the first on. */
  async listEvents(
    job: { readonly projectId: string; readonly id: string },
    afterSeq: number | null,
    limit: number,
  ): Promise<RecordPage<JobEventRecord>> {
    const rows = await this.database.client.trainingJobEvent.findMany({
      where: { projectId: job.projectId, jobId: job.id, seq: { gt: afterSeq ?? -1 } },
      orderBy: { seq: 'asc' },
      take: limit + 1,
    });
    return { records: rows.slice(0, limit).map(toJobEventRecord), hasMore: rows.length > limit };
  }

  /**
   * Groups that a job has sampled for itself, by round and position.
   *
   * @param round null: of all rounds
   */
  async listGroups(
    job: { readonly projectId: string; readonly id: string },
    round: number | null,
  ): Promise<GroupDraft[]> {
    const rows = await this.database.client.trainingJobGroup.findMany({
      where: { projectId: job.projectId, jobId: job.id, ...(round !== null && { round }) },
      orderBy: [{ round: 'asc' }, { position: 'asc' }],
    });
    return rows.map(toGroup);
  }

  /** An event of this job, for a cursor. */
  async findEvent(
    job: { readonly projectId: string; readonly id: string },
    eventId: string,
  ): Promise<JobEventRecord | null> {
    const row = await this.database.client.trainingJobEvent.findUnique({
      where: { projectId_id: { projectId: job.projectId, id: eventId } },
    });
    return row?.jobId === job.id ? toJobEventRecord(row) : null;
  }
}
