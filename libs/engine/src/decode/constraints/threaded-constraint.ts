import type { TokenMask } from '../sampling/token-mask.js';

import type { Constraint, ConstraintSource } from './constraint.js';

/** How a constraint reaches the thread that follows it. */
export interface ConstraintLine {
  accept(token: number): void;
  close(): void;
}

/** One choice's view of its constraint in the constraint thread. */
export class ThreadedConstraint implements Constraint {
  mask: TokenMask | null = null;
  failure: Error | null = null;
  /** Tokens so far: a new thread replays them. */
  readonly accepted: number[] = [];
  private callback: (() => void) | null = null;

  constructor(
    readonly source: ConstraintSource,
    private readonly line: ConstraintLine,
  ) {}

  accept(id: number): void {
    this.accepted.push(id);
    this.mask = null;
    this.line.accept(id);
  }

  whenReady(callback: () => void): void {
    this.callback = callback;
    if (this.mask !== null || this.failure !== null) this.callBack();
  }

  close(): void {
    this.callback = null;
    this.line.close();
  }

  /** @param accepted how many tokens the mask comes after: one that was asked for before a restart may be old */
  take(mask: TokenMask, accepted: number): void {
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
