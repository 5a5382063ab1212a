import type { Piscina } from 'piscina';

import { builtUrl } from './built-url.js';
import type { TaskBegin, TaskOrder } from './run-task.js';
import { type MaxWait, Slots } from './slots.js';
import type { Task } from './task.js';

export interface TaskThreadsOptions {
  /** Tasks that run at once, each in a thread of its own. The others wait. */
  readonly maxThreads: number;
  /** Threads that stay, once one was started, when there is nothing to do. Default 0. */
  readonly keptThreads?: number;
  /** After so long without a task the other threads end, and those that stay give their garbage back. */
  readonly idleMs: number;
  /** A thread whose heap grows beyond this ends, and its task fails. */
  readonly maxHeapMiB: number;
  /** Longest wait for a thread. Absent: however long it takes. */
  readonly maxWait?: MaxWait;
}

export interface RunOptions {
  /** Ends the wait for a thread, or the thread amid the task. */
  readonly signal?: AbortSignal;
  /** Longest time of the task itself: a task that takes longer is ended with its thread. */
  readonly limitMs?: number;
}

/** Threads for work that would hold the event loop. They start when they are first needed. */
export class TaskThreads {
  private readonly slots: Slots;
  /** Called when a thread begins with a task, by the ids of orders. */
  private readonly onBegin = new Map<number, () => void>();
  private pool: Promise<Piscina> | undefined;
  private orders = 0;
  private isClosed = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: TaskThreadsOptions) {
    this.slots = new Slots(options.maxThreads, options.maxWait);
  }

  /**
   * Has a thread run a task.
   *
   * @throws what the task throws
   * @throws the reason of the signal, an `AbortError` of a task that took too long, or the error of `maxWait`
   * @throws Error the thread ended: it ran out of memory, or was closed
   */
  async run<Input, Output>(task: Task<Input, Output>, input: Input, options: RunOptions = {}): Promise<Output> {
    await this.slots.enter(options.signal);
    clearTimeout(this.idle);
    try {
      return await this.runInThread(task, input, options);
    } finally {
      this.slots.leave();
      if (this.slots.areFree) this.whenIdle();
    }
  }

  /** Starts the threads that stay, before there is a task for them, and has one load the module of a task. */
  prepare({ module }: Task<never, unknown>): void {
    if (this.pool !== undefined || !this.options.keptThreads) return;
    this.pool = this.start();
    void this.pool.then((pool) => pool.run(builtUrl(module).href, { name: 'prepare' })).catch(() => undefined);
  }

  /** How many threads there are at the moment. */
  async size(): Promise<number> {
    return (await this.pool)?.threads.length ?? 0;
  }

  /** Ends the threads. Tasks that run fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await (await this.pool)?.destroy();
  }

  private async runInThread<Input, Output>(
    { module, name = 'TASK' }: Task<Input, Output>,
    input: Input,
    { signal, limitMs }: RunOptions,
  ): Promise<Output> {
    if (this.isClosed) throw new Error('The threads are closed.');
    const pool = await (this.pool ??= this.start());
    const order: TaskOrder = { id: this.orders++, module: builtUrl(module).href, name, input };
    // One of its own for each task: piscina leaves its listener on a signal.
    const end = new AbortController();
    const leave = () => end.abort(signal?.reason);
    signal?.addEventListener('abort', leave);
    if (signal?.aborted) leave(); // while the pool was starting
    let timer: NodeJS.Timeout | undefined;
    if (limitMs !== undefined)
      this.onBegin.set(order.id, () => (timer = setTimeout(() => end.abort(), limitMs).unref()));
    try {
      return (await pool.run(order, { name: 'runTask', signal: end.signal })) as Output;
    } finally {
      clearTimeout(timer);
      this.onBegin.delete(order.id);
      signal?.removeEventListener('abort', leave);
    }
  }

  private async start(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const { maxThreads, keptThreads = 0, idleMs, maxHeapMiB } = this.options;
    const pool = new Piscina({
      filename: builtUrl(import.meta.url, 'run-task').href,
      minThreads: keptThreads,
      maxThreads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
      useAtomics: false, // a thread that waits for the next task by a lock would do nothing else meanwhile
      recordTiming: false,
    });
    pool.on('error', () => undefined); // a thread that ends without a task is replaced when there is one
    pool.on('message', ({ begun }: TaskBegin) => this.onBegin.get(begun)?.());
    return pool;
  }

  private whenIdle(): void {
    if (!this.options.keptThreads || this.isClosed) return;
    this.idle = setTimeout(() => {
      void this.pool?.then((pool) => pool.run(null, { name: 'releaseMemory' })).catch(() => undefined);
    }, this.options.idleMs).unref();
  }
}
