import { Inject, Injectable } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { TooManyStreamsError } from './events.errors.js';

/** How many requests of this process follow a job, in all and by key. */
@Injectable()
export class StreamSlots {
  private readonly perKey = new Map<string, number>();
  private total = 0;

  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {}

  /** Takes a slot; call the result to release it. @throws TooManyStreamsError */
  acquire(keyId: string): () => void {
    const { eventStreams, eventStreamsPerKey } = this.config;
    const ofKey = this.perKey.get(keyId) ?? 0;
    if (ofKey >= eventStreamsPerKey) throw new TooManyStreamsError('key', eventStreamsPerKey);
    if (this.total >= eventStreams) throw new TooManyStreamsError('server', eventStreams);
    this.perKey.set(keyId, ofKey + 1);
    this.total++;
    return () => this.release(keyId);
  }

  private release(keyId: string): void {
    const left = (this.perKey.get(keyId) ?? 1) - 1;
    if (left > 0) this.perKey.set(keyId, left);
    else this.perKey.delete(keyId);
    this.total--;
  }
}
