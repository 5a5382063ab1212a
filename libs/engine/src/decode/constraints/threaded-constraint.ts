import type { TokenMask } from '../sampling/token-mask.js';
import type { Constraint, ConstraintSource } from './constraint.js';

/** Messages of one constraint to its thread. */
export interface ConstraintChannel {
  /** @param isSilent no mask is asked for: a proposal will follow */
  accept(token: number, isSilent: boolean): void;
  propose(token: number): void;
  close(): void;
}

/** Proxy of one choice's constraint in the constraint thread. */
export class ThreadedConstraint implements Constraint {
  mask: TokenMask | null = null;
  failure: Error | null = null;
  awaitsProposal = false;
  /** Accepted tokens: a restarted thread replays them. */
  readonly accepted: number[] = [];
  /** Called once, when the thread has compiled the source, with the milliseconds that it took. */
  onFirstMask: ((workMs: number) => void) | null = null;
  private callback: (() => void) | null = null;
  /** How long the thread worked on the last mask. */
  private maskMs = 0;
  /** The thread has accepted the token that `mask` allows. */
  private isAhead = false;

  constructor(
    readonly source: ConstraintSource,
    private channel: ConstraintChannel,
    private readonly slowMaskMs: number,
  ) {}

  accept(id: number, willPropose = false): void {
    this.accepted.push(id);
    this.mask = null;
    this.awaitsProposal = willPropose && this.maskMs > this.slowMaskMs;
    // Only what was proposed is chosen after it was accepted, and only by those who propose again.
    if (!this.isAhead) this.channel.accept(id, this.awaitsProposal);
    this.isAhead = false;
  }

  propose(id: number): void {
    this.awaitsProposal = false;
    this.channel.propose(id);
  }

  whenReady(callback: () => void): void {
    this.callback = callback;
    if (this.mask !== null || this.failure !== null) this.callBack();
  }

  close(): void {
    this.callback = null;
    this.channel.close();
  }

  /** A thread opens it after its accepted tokens, and will give the mask after them. */
  opens(): void {
    this.awaitsProposal = false;
    this.isAhead = false;
  }

  /** Moves the constraint to another thread. */
  moveTo(channel: ConstraintChannel): void {
    this.channel = channel;
  }

  /** @param accepted number of tokens before the mask: after a restart a stale mask may arrive */
  take(mask: TokenMask, accepted: number, workMs: number): void {
    this.onFirstMask?.(workMs);
    this.onFirstMask = null;
    if (accepted !== this.accepted.length) return;
    this.mask = mask;
    this.maskMs = workMs;
    this.callBack();
  }

  /**
   * @param mask allows the proposed token alone, which the thread has accepted
   * @param accepted number of tokens with it
   */
  takeProposed(mask: TokenMask, accepted: number): void {
    if (accepted !== this.accepted.length + 1) return;
    this.mask = mask;
    this.isAhead = true;
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
