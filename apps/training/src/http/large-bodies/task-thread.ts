import { Worker } from 'node:worker_threads';

import { builtUrl, type ThreadTask } from './thread-task.js';

/** No body that is within its limits needs as much: a thread that runs out of memory ends the whole process. */
const MAX_HEAP_MIB = 4_096;

type Reply = { output: unknown } | { failure: string };

interface Running {
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
}

/** One thread that does one task at a time. */
export class TaskThread {
  readonly #worker = new Worker(new URL('./tasks.worker.js', builtUrl(import.meta.url)), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  #running: Running | undefined;
  #isAlive = true;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => {
      const { resolve, reject } = this.#finish();
      if ('failure' in reply) reject(new Error(reply.failure));
      else resolve(reply.output);
    });
    this.#worker.on('error', (error) => {
      this.#fail(error);
    });
    this.#worker.on('exit', () => this.#fail(new Error('The thread ended.')));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async run<Input, Output>({ module }: ThreadTask<Input, Output>, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#running = { resolve: resolve as (output: unknown) => void, reject };
      this.#worker.postMessage({ module: builtUrl(module), input });
    });
  }

  async close(): Promise<void> {
    this.#isAlive = false;
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#isAlive = false;
    this.#finish().reject(error);
  }

  #finish(): Running {
    const running = this.#running ?? { resolve: () => undefined, reject: () => undefined };
    this.#running = undefined;
    return running;
  }
}
