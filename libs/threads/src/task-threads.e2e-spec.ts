import { until } from '@hone/testing/until';

import type { Task } from './task.js';
import { TaskThreads, type TaskThreadsOptions } from './task-threads.js';

/** A module that exports a task, as Node.js loads it. */
const taskOf = <Input, Output>(run: string): Task<Input, Output> => ({
  module: `data:text/javascript,${encodeURIComponent(`
    import { threadId } from 'node:worker_threads';
    export const TASK = { run: ${run} };`)}`,
  run: () => {
    throw new Error('This is not the thread.');
  },
});

const LENGTH = taskOf<Uint8Array, number>('(bytes) => bytes.length');
const THREAD = taskOf<null, number>('() => threadId');
const ENDLESS = taskOf<null, never>('() => { for (;;); }');
const REFUSES = taskOf<string, never>('(what) => { throw new RangeError(what); }');
/** Leaves garbage behind; {@link HOLDS} says whether it is still there. */
const LEAVES = taskOf<null, void>('() => { globalThis.left = new WeakRef({}); }');
const HOLDS = taskOf<null, boolean>('() => globalThis.left.deref() !== undefined');
/** Values that the garbage collection may not take. */
const GREEDY = taskOf<null, number>('() => { const all = []; for (;;) all.push([all.length]); }');
const ENDS = taskOf<null, never>('() => process.exit(1)');
/** A second of it would be a thousand times too long. */
const BRIEF_MS = 1;

describe('TaskThreads', () => {
  let threads: TaskThreads;
  afterEach(() => threads.close());

  const start = (options: Partial<TaskThreadsOptions> = {}) =>
    (threads = new TaskThreads({ maxThreads: 2, idleMs: 60_000, maxHeapMiB: 64, ...options }));
  const threadCount = async (count: number) => (await threads.size()) === count;

  it('starts no thread before it is needed, and no more than it may', async () => {
    start();
    expect(await threads.size()).toBe(0);
    expect(await threads.run(LENGTH, Buffer.alloc(7))).toBe(7);
    expect(await threads.size()).toBe(1);
    const lengths = Array.from({ length: 10 }, (_, n) => n);
    const answers = await Promise.all(lengths.map((length) => threads.run(LENGTH, new Uint8Array(length))));
    expect(answers).toEqual(lengths);
    expect(await threads.size()).toBe(2);
  });

  it('keeps the thread that was prepared', async () => {
    start({ keptThreads: 1, idleMs: BRIEF_MS });
    threads.prepare(LENGTH);
    threads.prepare(LENGTH);
    expect(await threads.size()).toBe(1);
    const first = await threads.run(THREAD, null);
    await Promise.all([1, 2, 3, 4].map(() => threads.run(THREAD, null)));
    await until(() => threadCount(1), 'the end of the other thread');
    expect(await threads.size()).toBe(1);
    expect(first).toEqual(expect.any(Number));
  });

  it('ends threads that are idle', async () => {
    start({ idleMs: BRIEF_MS });
    await threads.run(LENGTH, Buffer.alloc(1));
    await until(() => threadCount(0), 'the end of the thread');
    expect(await threads.run(LENGTH, Buffer.alloc(2))).toBe(2);
  });

  it('gives back the memory that tasks have left behind when the kept thread is idle', async () => {
    start({ maxThreads: 1, keptThreads: 1, idleMs: BRIEF_MS });
    await threads.run(LEAVES, null);
    await until(async () => !(await threads.run(HOLDS, null)), 'the collection of garbage');
    expect(await threads.size()).toBe(1); // it was not replaced
  });

  it('passes on what a task throws', async () => {
    start();
    await expect(threads.run(REFUSES, 'nothing of the kind')).rejects.toThrow('nothing of the kind');
  });

  it.each([
    ['runs out of memory', GREEDY],
    ['ends', ENDS],
  ])('fails the task whose thread %s, and goes on', async (_what, task) => {
    start({ maxThreads: 1 });
    const [failed, next] = await Promise.allSettled([threads.run(task, null), threads.run(LENGTH, Buffer.alloc(3))]);
    expect(failed.status).toBe('rejected');
    expect(next).toEqual({ status: 'fulfilled', value: 3 });
  });

  it('ends a task that is aborted, amid its work or while it waits', async () => {
    start({ maxThreads: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const ended = threads.run(ENDLESS, null, { signal: running.signal });
    const left = threads.run(ENDLESS, null, { signal: waiting.signal });
    const next = threads.run(LENGTH, Buffer.alloc(4));
    waiting.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => threadCount(1), 'the thread');
    running.abort();
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    expect(await next).toBe(4);
    await expect(threads.run(LENGTH, Buffer.alloc(1), { signal: running.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('ends a task that takes too long', async () => {
    start({ maxThreads: 1 });
    await expect(threads.run(ENDLESS, null, { limitMs: BRIEF_MS })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await threads.run(LENGTH, Buffer.alloc(5), { limitMs: 60_000 })).toBe(5);
  });

  it('refuses a task that finds no thread in time', async () => {
    start({ maxThreads: 1, maxWait: { ms: BRIEF_MS, toError: () => new Error('busy') } });
    const running = new AbortController();
    const ended = threads.run(ENDLESS, null, { signal: running.signal });
    await expect(threads.run(LENGTH, Buffer.alloc(1))).rejects.toThrow('busy');
    running.abort();
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    expect(await threads.run(LENGTH, Buffer.alloc(6))).toBe(6);
  });

  it('fails its tasks when it is closed', async () => {
    start({ maxThreads: 1, keptThreads: 1 });
    const outcomes = Promise.allSettled([threads.run(ENDLESS, null), threads.run(LENGTH, Buffer.alloc(1))]);
    await until(() => threadCount(1), 'the thread');
    await threads.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(threads.run(LENGTH, Buffer.alloc(1))).rejects.toThrow('The threads are closed.');
  });
});
