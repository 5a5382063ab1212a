import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../../config/training.config.js';
import { BodiesBusyError } from './large-bodies.errors.js';
import { TaskThread } from './task-thread.js';
import type { ThreadTask } from './thread-task.js';

/** An idle thread is kept for the next body; its memory is released after this. */
const IDLE_MS = 10_000;

interface Waiting {
  enter: () => void;
  timer: NodeJS.Timeout;
}

/** A few threads for work that would block the event loop: parsing and checking large bodies. */
@Injectable()
export class TaskThreads implements OnApplicationShutdown {
  readonly #idle: { thread: TaskThread; timer: NodeJS.Timeout }[] = [];
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {}

  /** @throws BodiesBusyError no thread was free for as long as a request may wait */
  async run<Input, Output>(task: ThreadTask<Input, Output>, input: Input): Promise<Output> {
    await this.#enter();
    const thread = this.#takeIdle() ?? new TaskThread();
    try {
      return await thread.run(task, input);
    } finally {
      if (thread.isAlive) this.#keep(thread);
      this.#leave();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    for (const { timer } of this.#idle) clearTimeout(timer);
    await Promise.all(this.#idle.splice(0).map(({ thread }) => thread.close()));
  }

  #takeIdle(): TaskThread | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.thread.isAlive) return idle.thread;
    }
    return undefined;
  }

  #keep(thread: TaskThread): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.thread === thread),
        1,
      );
      void thread.close();
    }, IDLE_MS).unref();
    this.#idle.push({ thread, timer });
  }

  async #enter(): Promise<void> {
    if (this.#running < this.config.largeBodiesAtOnce) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        enter: resolve,
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          reject(new BodiesBusyError());
        }, this.config.largeBodyWaitMs),
      };
      this.#waiting.push(waiting);
    });
  }

  /** Passes the slot to the request that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#running--;
      return;
    }
    clearTimeout(next.timer);
    next.enter();
  }
}
