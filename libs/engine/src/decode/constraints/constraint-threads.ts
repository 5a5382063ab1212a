import { createHash } from 'node:crypto';

import type { TokenTexts } from '../sampling/bad-words.js';
import type { Constraint, ConstraintFactory, ConstraintSource } from './constraint.js';
import { ConstraintThread } from './constraint-thread.js';
import type { ThreadedConstraint } from './threaded-constraint.js';

/** Most milliseconds that a proven constraint may keep the others in its thread waiting. */
const PROVEN_LIMIT_MS = 1_000;
/** A constraint is proven when it was ready in this share of that time. */
const PROVEN_SHARE = 0.5;
const MAX_KNOWN = 1_024;

/**
 * The constraints of one vocabulary, in two threads. Compiling may take seconds on a large vocabulary, and for ever with
 * a hostile schema: a source that was not seen before is compiled in a thread of its own kind, with the whole time
 * limit. Sources that were quick there run in the other thread, where nothing keeps them waiting for long; one that
 * turns out to be slow is moved back, and stays there.
 */
export class ConstraintThreads implements ConstraintFactory {
  private readonly proving: ConstraintThread;
  private readonly proven: ConstraintThread;
  /** Digests of sources -> whether they are quick, the least recently used first. */
  private readonly known = new Map<string, boolean>();

  /**
   * @param endIds tokens that end an answer
   * @param limitMs how long a constraint may take to compile, and to give a mask, in CPU time
   * @param maxStates that the patterns of one constraint may have together
   */
  constructor(tokens: TokenTexts, endIds: readonly number[], limitMs: number, maxStates?: number) {
    this.proving = new ConstraintThread(tokens, endIds, { limitMs, maxStates });
    const onLate = (constraint: ThreadedConstraint) => {
      this.remember(keyOf(constraint.source), false);
      this.proving.adopt(constraint);
    };
    this.proven = new ConstraintThread(tokens, endIds, {
      limitMs: Math.min(limitMs, PROVEN_LIMIT_MS),
      maxStates,
      onLate,
    });
  }

  create(source: ConstraintSource): Constraint {
    const key = keyOf(source);
    const isQuick = this.known.get(key);
    if (isQuick !== undefined) this.remember(key, isQuick);
    if (isQuick === true) return this.proven.create(source);
    const constraint = this.proving.create(source);
    constraint.onFirstMask = (workMs) => {
      // A slow constraint is compiled by now, and would look quick next time.
      if (workMs > PROVEN_LIMIT_MS) this.remember(key, false);
      else if (isQuick === undefined && workMs <= PROVEN_LIMIT_MS * PROVEN_SHARE) this.remember(key, true);
    };
    return constraint;
  }

  async close(): Promise<void> {
    await Promise.all([this.proving.close(), this.proven.close()]);
  }

  private remember(key: string, isQuick: boolean): void {
    this.known.delete(key);
    this.known.set(key, isQuick);
    if (this.known.size <= MAX_KNOWN) return;
    const [oldest] = this.known.keys();
    this.known.delete(oldest as string);
  }
}

const keyOf = (source: ConstraintSource): string =>
  createHash('sha256').update(JSON.stringify(source)).digest('base64');
