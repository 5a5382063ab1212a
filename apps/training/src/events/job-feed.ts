import type { JobProgressDto } from '@hone/contracts';
import {
  isTerminal,
  type JobEventRecord,
  type JobReader,
  type JobStatus,
  type TrainingJobRecord,
} from '@hone/training-jobs';

import { toProgress } from '../jobs/job.mapper.js';

/** The content of a status frame. */
export interface JobState {
  status: JobStatus;
  /** 1: next. Null: not queued. */
  queuePosition: number | null;
  progress: JobProgressDto;
}

/** Most events kept in memory; a client that is further behind reads from the database. */
const MAX_KEPT = 256;
/** Events of one read. */
export const PAGE_EVENTS = 100;

/**
 * The events of one job for all requests of this process that follow it (single-flight): they are read once. Sequence
 * numbers begin at 0 and have no gap.
 */
export class JobFeed {
  /** The latest events, one after the other. */
  private kept: JobEventRecord[] = [];
  private watchers = new Set<() => void>();
  private running: Promise<void> | null = null;
  private isStale = false;

  /** @param next sequence number of the first event that is not there yet */
  constructor(
    private readonly reader: JobReader,
    private readonly job: { readonly id: string; readonly projectId: string },
    private current: JobState,
    private next: number,
  ) {}

  get state(): JobState {
    return this.current;
  }

  /** The job has ended, and this is its last event. */
  isOverAfter(seq: number): boolean {
    return isTerminal(this.current.status) && seq + 1 >= this.next;
  }

  hasAfter(seq: number): boolean {
    return seq + 1 < this.next;
  }

  /** Calls `watcher` whenever there is something new. Returns how to stop that. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  /** The next events after `seq`, at most {@link PAGE_EVENTS}. */
  async readAfter(seq: number): Promise<readonly JobEventRecord[]> {
    if (!this.hasAfter(seq)) return [];
    const first = this.kept[0]?.seq ?? this.next;
    if (seq + 1 >= first) return this.kept.slice(seq + 1 - first, seq + 1 - first + PAGE_EVENTS);
    return (await this.reader.listEvents(this.job, seq, PAGE_EVENTS)).records;
  }

  /** Reads new events. Calls during a read share the read after it (single-flight). */
  refresh(): Promise<void> {
    this.isStale = true;
    this.running ??= this.readWhileStale().finally(() => (this.running = null));
    return this.running;
  }

  private async readWhileStale(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      await this.read();
    }
  }

  private async read(): Promise<void> {
    // The job first: when it has ended by then, all its events are there.
    const job = await this.reader.findJob(this.job.id);
    const state = job ? await stateOf(job, this.reader) : this.current;
    const page = await this.reader.listEvents(this.job, this.next - 1, PAGE_EVENTS);
    this.isStale ||= page.hasMore;
    this.kept = [...this.kept, ...page.records].slice(-MAX_KEPT);
    this.next += page.records.length;
    const isChanged = JSON.stringify(state) !== JSON.stringify(this.current);
    // Not over before the last event can be read.
    if (isChanged && !page.hasMore) this.current = state;
    if (isChanged || page.records.length > 0) for (const watcher of [...this.watchers]) watcher();
  }
}

export async function stateOf(job: TrainingJobRecord, reader: JobReader): Promise<JobState> {
  const positions = job.status === 'queued' ? await reader.queuePositions([job.id]) : null;
  return { status: job.status, queuePosition: positions?.get(job.id) ?? null, progress: toProgress(job) };
}
