import { NotificationListener } from '@hone/database';
import { JOB_EVENTS_CHANNEL, type JobEventNotification, JobReader, type TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

import { EventCursorRepository } from './event-cursor.repository.js';
import { JobFeed, stateOf } from './job-feed.js';
import { STREAM_TIMES, type StreamTimes } from './stream-times.js';

/** A feed, and the number of requests that follow it. */
interface OpenFeed {
  feed: Promise<JobFeed>;
  users: number;
  timer: NodeJS.Timeout;
}

/**
 * The feeds of this process, one for each job that is followed. News come by notifications, all over one connection,
 * and a poll finds what a lost notification would have announced.
 */
@Injectable()
export class JobFeeds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly open = new Map<string, OpenFeed>();
  private readonly stops = new Set<() => void>();
  private isStopping = false;

  constructor(
    private readonly reader: JobReader,
    private readonly cursors: EventCursorRepository,
    private readonly listener: NotificationListener,
    @Inject(STREAM_TIMES) private readonly times: StreamTimes,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.listener.onGap(() => [...this.open.keys()].forEach((jobId) => this.refresh(jobId)));
    await this.listener.listen(JOB_EVENTS_CHANNEL, (payload) => {
      const { job_id: jobId } = JSON.parse(payload) as JobEventNotification;
      this.refresh(jobId);
    });
  }

  /** Ends all that still follow: the process would wait for them. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const stop of [...this.stops]) stop();
  }

  /**
   * Lets `work` follow a job; the feed is kept while any request follows the job.
   *
   * @param stop called when the service stops
   */
  async follow<T>(job: TrainingJobRecord, stop: () => void, work: (feed: JobFeed) => Promise<T>): Promise<T> {
    const opened = this.take(job);
    this.stops.add(stop);
    try {
      if (this.isStopping) stop();
      return await work(await opened.feed);
    } finally {
      this.stops.delete(stop);
      opened.users--;
      if (opened.users === 0) {
        clearInterval(opened.timer);
        this.open.delete(job.id);
      }
    }
  }

  private take(job: TrainingJobRecord): OpenFeed {
    let opened = this.open.get(job.id);
    if (!opened) {
      const timer = setInterval(() => this.refresh(job.id), this.times.pollMs).unref();
      this.open.set(job.id, (opened = { feed: this.create(job), users: 0, timer }));
    }
    opened.users++;
    return opened;
  }

  private async create(job: TrainingJobRecord): Promise<JobFeed> {
    const next = await this.cursors.nextSeq(job.id);
    const feed = new JobFeed(this.reader, job, await stateOf(job, this.reader), next);
    await feed.refresh(); // `job` was read before `next`, and may have ended in between
    return feed;
  }

  private refresh(jobId: string): void {
    // Errors of an unavailable database are dropped here: the next poll retries.
    this.open
      .get(jobId)
      ?.feed.then((feed) => feed.refresh())
      .catch(() => undefined);
  }
}
