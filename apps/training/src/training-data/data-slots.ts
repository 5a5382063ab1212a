import { Inject, Injectable } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { DataBusyError } from './training-data.errors.js';

/** Each holds a connection of the database while calls are read. */
const AT_ONCE = 2;

/** How much data this process makes at once. */
@Injectable()
export class DataSlots {
  private readonly waiting = new Set<() => void>();
  private running = 0;

  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {}

  /** @throws DataBusyError no slot became free for as long as a request may wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await this.wait();
    else this.running++;
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.running--;
    }
  }

  /** The slot passes on to the one that has waited longest. */
  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        this.waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(new DataBusyError());
      }, this.config.largeBodyWaitMs);
      this.waiting.add(enter);
    });
  }
}
