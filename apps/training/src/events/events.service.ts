import { finished, type Readable } from 'node:stream';

import type { Principal } from '@hone/auth';
import type { TrainingJobEventPageDto, TrainingJobEventsQueryDto } from '@hone/contracts';
import { isLastEvent, isTerminal, type JobEventRecord, JobReader, type TrainingJobRecord } from '@hone/training-jobs';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { toPage, unknownCursor } from '../http/page.js';
import { JobAccess } from '../jobs/job-access.js';
import { toTrainingJobEvent } from './event.mapper.js';
import { EventStream } from './event-stream.js';
import { type EventsQuery, readEventsQuery } from './events-query.js';
import { JobFeeds } from './job-feeds.js';
import { StreamSlots } from './stream-slots.js';
import { STREAM_TIMES, type StreamTimes } from './stream-times.js';
import { waitForEvent } from './wait-for-event.js';

/** No event has this number: a client at it has seen none. */
const BEFORE_THE_FIRST = -1;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** What happened in a job, as pages or as a stream. */
@Injectable()
export class EventsService {
  private readonly log = new Logger(EventsService.name);

  constructor(
    private readonly access: JobAccess,
    private readonly reader: JobReader,
    private readonly feeds: JobFeeds,
    private readonly slots: StreamSlots,
    @Inject(STREAM_TIMES) private readonly times: StreamTimes,
  ) {}

  /**
   * A page of events, or the stream of all that are still to come, as the request's `Accept` asks.
   *
   * @throws ValidationError, JobNotFoundError, AccessDeniedError, TooManyStreamsError
   */
  async answer(
    caller: Principal,
    jobId: string,
    query: TrainingJobEventsQueryDto,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<TrainingJobEventPageDto | Readable> {
    const asked = readEventsQuery(query, request);
    const { job } = await this.access.getReadable(caller, jobId);
    const last = await this.find(job, asked.after);
    if (asked.isStream) {
      const body = this.stream(caller, job, last);
      // Also when the client disconnected before its stream began.
      finished(reply.raw, () => body.destroy());
      void reply.headers(STREAM_HEADERS);
      return body;
    }
    void reply.header('cache-control', 'no-store');
    const seq = last?.seq ?? BEFORE_THE_FIRST;
    if (asked.waitSeconds > 0 && !isTerminal(job.status)) await this.wait(caller, job, seq, asked, reply);
    const { records, hasMore } = await this.reader.listEvents(job, last ? seq : null, asked.limit);
    return { ...toPage(records.map(toTrainingJobEvent), asked.limit), has_more: hasMore };
  }

  /** The event at the cursor; null: no cursor. @throws ValidationError it is no event of this job */
  private async find(job: TrainingJobRecord, after: string | undefined): Promise<JobEventRecord | null> {
    if (after === undefined) return null;
    const event = await this.reader.findEvent(job, after);
    if (!event) throw unknownCursor();
    return event;
  }

  private stream(caller: Principal, job: TrainingJobRecord, last: JobEventRecord | null): Readable {
    const stream = new EventStream(last?.seq ?? BEFORE_THE_FIRST, this.times);
    if (last && isLastEvent(last.type)) {
      stream.endAtOnce();
      return stream.body;
    }
    const release = this.slots.acquire(caller.keyId);
    this.feeds
      .follow(
        job,
        () => stream.stop(),
        (feed) => stream.run(feed),
      )
      .catch((error: unknown) => this.log.warn(`events of job ${job.id}: ${String(error)}`))
      .finally(() => {
        release();
        stream.stop();
      });
    return stream.body;
  }

  private async wait(
    caller: Principal,
    job: TrainingJobRecord,
    seq: number,
    { waitSeconds }: EventsQuery,
    reply: FastifyReply,
  ): Promise<void> {
    const release = this.slots.acquire(caller.keyId);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    try {
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(waitSeconds * 1_000)]);
      await this.feeds.follow(
        job,
        () => gone.abort(),
        (feed) => waitForEvent(feed, seq, signal),
      );
    } finally {
      release();
    }
  }
}
