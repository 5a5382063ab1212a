import { Logger } from '@nestjs/common';

import type { AnswerReader, RunningAttempt } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { SuccessiveAttempt } from '../successive-attempt.js';
import type { KeyPool, UpstreamKey } from './key-pool.js';

/** Sends the request with a key. @returns what runs */
type Send = (key: UpstreamKey | null, reader: AnswerReader) => RunningAttempt;

const logger = new Logger('UpstreamKeys');

/** One attempt, with the keys of an upstream in turn: what is wrong with a key is no failure while another is left. */
export function attemptWithKeys(pool: KeyPool, upstream: string, send: Send, reader: AnswerReader): RunningAttempt {
  return pool.size > 1 ? new KeyedAttempt(pool, upstream, send, reader) : send(pool.take(), reader);
}

class KeyedAttempt extends SuccessiveAttempt {
  private readonly tried: UpstreamKey[] = [];
  private hasFrames = false;

  constructor(
    private readonly pool: KeyPool,
    private readonly upstream: string,
    private readonly send: Send,
    private readonly reader: AnswerReader,
  ) {
    super();
    this.goOn(this.begin(pool.take() as UpstreamKey));
  }

  private begin(key: UpstreamKey): RunningAttempt {
    this.tried.push(key);
    return this.send(key, {
      onFrames: (...frames) => {
        this.hasFrames = true;
        this.reader.onFrames(...frames);
      },
      onComplete: (answer) => this.reader.onComplete(answer),
      onFailure: (failure) => this.failed(key, failure),
    });
  }

  private failed(key: UpstreamKey, failure: TargetFailure): void {
    if (!this.pool.setAside(key, failure)) return this.reader.onFailure(failure);
    if (failure.reason !== 'rate_limited') {
      logger.warn(`The upstream ${this.upstream} refuses the key in ${key.name}: it is set aside for a while.`);
    }
    const next = this.hasFrames ? null : this.pool.takeFree(this.tried);
    if (next === null) return this.reader.onFailure(this.pool.verdict(failure));
    this.goOn(this.begin(next));
  }
}
