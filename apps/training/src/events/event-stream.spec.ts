import { text } from 'node:stream/consumers';

import type { JobEventRecord, JobReader, JobStatus } from '@hone/training-jobs';
import { jest } from '@jest/globals';

import { EventStream } from './event-stream.js';
import { JobFeed, type JobState } from './job-feed.js';
import type { StreamTimes } from './stream-times.js';

const TIMES: StreamTimes = { pollMs: 1_000_000, pingMs: 1_000_000, maxMs: 1_000_000 };
const AT = new Date('2026-01-15T10:00:00Z');
const JOB = { id: 'job', projectId: 'project' };

/** A job whose events are made up as it goes; only the database is missing. */
class ScriptedJob {
  readonly events: JobEventRecord[] = [];
  status: JobStatus = 'running';
  reads = 0;
  readonly feed: JobFeed;

  constructor(known = 0) {
    this.add(known);
    const reader = {
      findJob: async () => ({ ...JOB, status: this.status, stepsDone: 0, numSequences: null, phase: null }),
      queuePositions: async () => new Map(),
      listEvents: async (_: unknown, after: number | null, limit: number) => {
        this.reads++;
        const left = this.events.slice((after ?? -1) + 1);
        return { records: left.slice(0, limit), hasMore: left.length > limit };
      },
    } as unknown as JobReader;
    const progress = { gradient_steps_done: 0, gradient_steps_total: null, fraction: null, phase: null };
    const state: JobState = { status: this.status, queuePosition: null, progress };
    this.feed = new JobFeed(reader, JOB, state, known);
  }

  add(count: number): void {
    for (let at = 0; at < count; at++) {
      const seq = this.events.length;
      this.events.push({ id: `e${seq}`, jobId: 'job', seq, type: 'gradient_step', data: { loss: seq }, createdAt: AT });
    }
  }
}

const idsOf = (frames: string) => [...frames.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
const range = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);

describe('a stream of events', () => {
  it('begins with what was there before it, however much that is', async () => {
    const job = new ScriptedJob(1_000);
    const stream = new EventStream(-1, TIMES);
    void stream.run(job.feed);
    const written = text(stream.body);
    job.add(1_000);
    job.status = 'succeeded';
    await job.feed.refresh();
    expect(idsOf(await written)).toEqual(range(2_000));
  });

  it('ends after the hour, for its client to come again', async () => {
    const stream = new EventStream(-1, { ...TIMES, maxMs: 20 });
    void stream.run(new ScriptedJob(1).feed);
    expect(idsOf(await text(stream.body))).toEqual(['e0']);
  });

  it('says now and then that it is alive', async () => {
    const stream = new EventStream(-1, { ...TIMES, pingMs: 5 });
    void stream.run(new ScriptedJob(0).feed);
    for await (const chunk of stream.body) {
      if (String(chunk).includes(': ping\n\n')) break;
    }
    expect(stream.body.destroyed).toBe(true);
  });

  it('stops when its client has gone, also while that takes nothing', async () => {
    const job = new ScriptedJob(100_000);
    const stream = new EventStream(-1, TIMES);
    const running = stream.run(job.feed);
    setImmediate(() => stream.body.destroy());
    await running;
    expect(job.reads).toBeLessThan(100);
  });

  it('ends when the database fails, so that the client comes again', async () => {
    const job = new ScriptedJob(5);
    jest.spyOn(job.feed, 'readAfter').mockRejectedValue(new Error('away'));
    const stream = new EventStream(-1, TIMES);
    void stream.run(job.feed);
    expect(idsOf(await text(stream.body))).toEqual([]);
  });
});

describe('the feed of a job', () => {
  it('reads new events once for all who follow', async () => {
    const job = new ScriptedJob(0);
    const streams = Array.from({ length: 100 }, () => new EventStream(-1, TIMES));
    for (const stream of streams) void stream.run(job.feed);
    const written = streams.map(({ body }) => text(body));
    job.add(50);
    job.status = 'failed';
    await job.feed.refresh();
    for (const one of await Promise.all(written)) expect(idsOf(one)).toEqual(range(50));
    expect(job.reads).toBe(1);
  });

  it('is not over before its last event can be read', async () => {
    const job = new ScriptedJob(0);
    job.add(250);
    job.status = 'succeeded';
    const seen: boolean[] = [];
    job.feed.watch(() => seen.push(job.feed.isOverAfter(99), job.feed.isOverAfter(249)));
    await job.feed.refresh();
    expect(seen).toEqual([false, false, false, false, false, true]);
  });

  it('tells nobody when nothing is new', async () => {
    const job = new ScriptedJob(3);
    const watcher = jest.fn();
    const unwatch = job.feed.watch(watcher);
    await job.feed.refresh();
    expect(watcher).not.toHaveBeenCalled();
    unwatch();
    job.add(1);
    await job.feed.refresh();
    expect(watcher).not.toHaveBeenCalled();
  });
});
