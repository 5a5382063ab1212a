import { fork, type Serializable } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { Logger } from '@nestjs/common';

import { BodiesBusyError } from '../http/large-bodies/large-bodies.errors.js';

const AT_ONCE = 2;
const MAX_HEAP_MIB = 2_048;

export interface ChildProcessOptions {
  /** A built module that gets one order as a message, answers with one message, and exits. */
  readonly script: URL;
  /** Longest time of a process. */
  readonly limitMs: number;
  /** Longest wait for a slot. */
  readonly waitMs: number;
}

/**
 * Does work in processes of their own, a few at once: an order that needs more memory or time than there is ends its
 * process and nothing else, which is more than a thread could promise.
 */
export class ChildProcesses<Order, Outcome> {
  private readonly log = new Logger(ChildProcesses.name);
  private readonly script: string;
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** @param what for the log, for example `planning` */
  constructor(
    private readonly what: string,
    private readonly options: ChildProcessOptions,
  ) {
    this.script = fileURLToPath(options.script);
  }

  /** Null: the process ended, or had to be, before it was done. @throws BodiesBusyError no slot became free in time */
  async run(order: Order): Promise<Outcome | null> {
    await this.enter();
    try {
      return await this.runChild(order);
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  private runChild(order: Order): Promise<Outcome | null> {
    return new Promise((resolve) => {
      const child = fork(this.script, {
        execArgv: [`--max-old-space-size=${MAX_HEAP_MIB}`],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      let outcome: Outcome | null = null;
      const timer = setTimeout(() => child.kill('SIGKILL'), this.options.limitMs);
      child.once('message', (message) => (outcome = message as Outcome));
      child.once('error', (error) => {
        this.log.error(`no ${this.what} process: ${error.message}`);
        resolve(null);
      });
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        if (code !== 0) this.log.warn(`a ${this.what} process ended: ${signal ?? code}`);
        resolve(outcome);
      });
      child.send(order as Serializable, () => undefined);
    });
  }

  private async enter(): Promise<void> {
    const end = performance.now() + this.options.waitMs;
    while (this.running >= AT_ONCE) {
      const left = end - performance.now();
      if (left <= 0) throw new BodiesBusyError();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.push(() => (clearTimeout(timer), resolve()));
      });
    }
    this.running++;
  }
}
