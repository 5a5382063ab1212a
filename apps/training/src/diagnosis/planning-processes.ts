import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { Inject, Injectable, Logger } from '@nestjs/common';

import { BodiesBusyError } from '../http/large-bodies/large-bodies.errors.js';
import { builtUrl } from '../http/large-bodies/thread-task.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import type { Diagnosis } from './diagnosis-report.js';
import { DiagnosisTooLargeError } from './diagnosis.errors.js';
import type { PlanningCase } from './planning-messages.js';

const AT_ONCE = 2;
const LIMIT_MS = 60_000;
const MAX_HEAP_MIB = 2_048;

/**
 * Plans in processes of their own, a few at once: a case that needs more memory or time than there is ends its process
 * and nothing else, which is more than a thread could promise.
 */
@Injectable()
export class PlanningProcesses {
  private readonly log = new Logger(PlanningProcesses.name);
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {}

  /** @throws BodiesBusyError no process could be started in time. @throws DiagnosisTooLargeError */
  async run(planned: PlanningCase): Promise<Diagnosis> {
    await this.enter();
    try {
      const diagnosis = await this.runChild(planned);
      if (!diagnosis) throw new DiagnosisTooLargeError();
      return diagnosis;
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /** Null: the process ended, or had to be, before it was done. */
  private runChild(planned: PlanningCase): Promise<Diagnosis | null> {
    return new Promise((resolve) => {
      const script = fileURLToPath(new URL('./planning.child.js', builtUrl(import.meta.url)));
      const child = fork(script, {
        execArgv: [`--max-old-space-size=${MAX_HEAP_MIB}`],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      let diagnosis: Diagnosis | null = null;
      const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
      child.once('message', (message) => (diagnosis = message as Diagnosis));
      child.once('error', (error) => {
        this.log.error(`no planning process: ${error.message}`);
        resolve(null);
      });
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        if (code !== 0) this.log.warn(`a planning process ended: ${signal ?? code}`);
        resolve(diagnosis);
      });
      child.send(planned, () => undefined);
    });
  }

  private async enter(): Promise<void> {
    const end = performance.now() + this.config.largeBodyWaitMs;
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
