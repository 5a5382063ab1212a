import type { TokenMask } from '../sampling/token-mask.js';

import type { Constraint, ConstraintSource } from './constraint.js';

/** Messages of one constraint to its thread. */
export interface ConstraintChannel {
  accept(token: number): void;
  close(): void;
}

/** Proxy of one choice's constraint in the constraint thread. */
export class ThreadedConstraint implements Constraint {
  mask: TokenMask | null = null;
  failure: Error | null = null;
  /** Accepted tokens: a restarted thread replays them. */
  readonly accepted: number[] = [];
  /** Called once, when the thread has compiled the source, with the milliseconds that it took. */
  onFirstMask: ((workMs: number) => void) | null = null;
  private callback: (() => void) | null = null;

  constructor(
    readonly source: ConstraintSource,
    private channel: ConstraintChannel,
  ) {}

  accept(id: number): void {
    this.accepted.push(id);
    this.mask = null;
    this.channel.accept(id);
  }

  whenReady(callback: () => void): void {
    this.callback = callback;
    if (this.mask !== null || this.failure !== null) this.callBack();
  }

  close(): void {
    this.callback = null;
    this.channel.close();
  }

  /** Another thread takes over. */
  moveTo(channel: ConstraintChannel): void {
    this.channel = channel;
  }

  /** @param accepted number of tokens before the mask: after a restart a stale mask may arrive */
  take(mask: TokenMask, accepted: number, workMs: number): void {
    this.onFirstMask?.(workMs);
    this.onFirstMask = null;
    if (accepted !== this.accepted.length) return;
    this.mask = mask;
    this.callBack();
  }

  fail(error: Error): void {
    this.failure = error;
    this.callBack();
  }

  private callBack(): void {
    const { callback } = this;
    this.callback = null;
    callback?.();
  }
}
