import { Worker } from 'node:worker_threads';

import { builtUrl } from '@hone/threads';

import { fromErrorMessage } from '../error-message.js';
import type { TokenTexts } from '../sampling/bad-words.js';
import { toTokenMask } from '../sampling/token-mask.js';
import { ConstraintTimeoutError } from './constraint.errors.js';
import type { ConstraintFactory, ConstraintSource } from './constraint.js';
import type { ConstraintThreadData, FromConstraints, ToConstraints } from './constraint-messages.js';
import { DEFAULT_MAX_STATES } from './grammar/ebnf.js';
import { type ConstraintChannel, ThreadedConstraint } from './threaded-constraint.js';

/** After a mask that took longer (ms), only the likeliest token is verified where that one decides. */
const SLOW_MASK_MS = 1;

export interface ConstraintThreadOptions {
  /** How long a constraint may take to compile, and to give a mask, in CPU time. */
  readonly limitMs: number;
  /** States that the patterns of one constraint may have together. */
  readonly maxStates?: number;
  /** Milliseconds: after a mask that took longer, tokens are proposed. Default 1. */
  readonly slowMaskMs?: number;
  /** Takes over a constraint that took too long. Without it such a constraint fails. */
  readonly onLate?: (constraint: ThreadedConstraint) => void;
}

/**
 * The thread that compiles the constraints of one vocabulary into automata and computes their logit masks: a hostile
 * schema never blocks decoding. A constraint that takes too long fails alone: the thread is ended and started again,
 * and the other constraints are replayed.
 */
export class ConstraintThread implements ConstraintFactory {
  private readonly open = new Map<number, ThreadedConstraint>();
  /** Constraints that wait for the thread, in its order of work. */
  private queue: number[] = [];
  private worker: Worker | null = null;
  private isReady = false;
  private timer: NodeJS.Timeout | null = null;
  private ids = 0;

  /** @param endIds tokens that end an answer */
  constructor(
    private readonly tokens: TokenTexts,
    private readonly endIds: readonly number[],
    private readonly options: ConstraintThreadOptions,
  ) {}

  create(source: ConstraintSource): ThreadedConstraint {
    const id = this.ids++;
    const constraint = new ThreadedConstraint(source, this.channelOf(id), this.options.slowMaskMs ?? SLOW_MASK_MS);
    this.begin(id, constraint);
    return constraint;
  }

  /** Takes over a constraint of another thread. */
  adopt(constraint: ThreadedConstraint): void {
    const id = this.ids++;
    constraint.moveTo(this.channelOf(id));
    this.begin(id, constraint);
  }

  async close(): Promise<void> {
    this.stopTimer();
    const { worker } = this;
    this.worker = null;
    for (const constraint of this.open.values()) constraint.fail(new Error('The constraint thread is closed.'));
    this.open.clear();
    this.queue = [];
    await worker?.removeAllListeners().terminate();
  }

  private begin(id: number, constraint: ThreadedConstraint): void {
    this.open.set(id, constraint);
    constraint.opens();
    const { source, accepted } = constraint;
    this.ask(id, { type: 'open', id, source, accepted });
  }

  private channelOf(id: number): ConstraintChannel {
    return {
      accept: (token, isSilent) => this.ask(id, { type: 'accept', id, token, isSilent }),
      propose: (token) => this.ask(id, { type: 'propose', id, token }),
      close: () => this.forget(id),
    };
  }

  private ask(id: number, message: ToConstraints): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
    if (message.type === 'accept' && message.isSilent) return;
    this.queue.push(id);
    this.startTimer();
  }

  private forget(id: number): void {
    if (!this.open.delete(id)) return;
    this.worker?.postMessage({ type: 'close', id } satisfies ToConstraints);
  }

  private start(): Worker {
    this.isReady = false;
    const worker = new Worker(builtUrl(import.meta.url, 'constraint.worker'), { workerData: this.threadData() });
    worker.on('message', (message: FromConstraints) => this.receive(message));
    worker.once('error', (error) => this.restart(error));
    // An idle thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  /** Built anew for each thread: nothing else needs it. */
  private threadData(): ConstraintThreadData {
    const { tokens, endIds } = this;
    const { maxStates = DEFAULT_MAX_STATES } = this.options;
    const isText = (id: number) => !tokens.isSpecial(id) && !endIds.includes(id);
    const texts = Array.from({ length: tokens.vocabSize }, (_, id) => (isText(id) ? tokens.tokenBytes(id) : NO_BYTES));
    let end = 0;
    const ends = Uint32Array.from(texts, ({ length }) => (end += length));
    return { bytes: Buffer.concat(texts), ends, endIds, maxStates };
  }

  private receive(message: FromConstraints): void {
    if (message.type === 'ready') this.isReady = true;
    else {
      const at = this.queue.indexOf(message.id);
      if (at !== -1) this.queue.splice(at, 1);
      const constraint = this.open.get(message.id);
      if (message.type === 'mask') constraint?.take(message.mask, message.accepted, message.workMs);
      else if (message.type === 'accepted') {
        constraint?.takeProposed(toTokenMask([message.token], this.tokens.vocabSize), message.accepted);
      } else {
        constraint?.fail(fromErrorMessage(message.error));
        this.open.delete(message.id);
      }
    }
    this.stopTimer();
    this.startTimer();
  }

  /** The timer runs for the constraint at the head of the queue, from when the thread starts on it. */
  private startTimer(): void {
    if (this.timer !== null || !this.isReady || this.queue.length === 0) return;
    this.watch(this.options.limitMs, process.cpuUsage());
  }

  private watch(waitMs: number, since: NodeJS.CpuUsage): void {
    const timer = setTimeout(() => {
      // If this thread was busy, the answer is in the message queue: it is delivered first.
      setImmediate(() => this.timer === timer && this.expire(since));
    }, waitMs);
    this.timer = timer;
  }

  /** The limit is on CPU time: on a busy machine the thread cannot have used more of it than this whole process. */
  private expire(since: NodeJS.CpuUsage): void {
    const { user, system } = process.cpuUsage(since);
    const leftMs = this.options.limitMs - (user + system) / 1_000;
    if (leftMs >= 1) this.watch(leftMs, since);
    else this.restart(new ConstraintTimeoutError(this.options.limitMs));
  }

  private stopTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Ends the thread, fails the constraint that it worked on, and opens the others again in a new thread. */
  private restart(reason: Error): void {
    this.stopTimer();
    const [culprit] = this.queue;
    this.worker?.removeAllListeners().on('error', () => undefined);
    void this.worker?.terminate();
    this.worker = null;
    this.queue = [];
    const failed = culprit === undefined ? undefined : this.open.get(culprit);
    if (culprit !== undefined) this.open.delete(culprit);
    for (const [id, constraint] of this.open) this.begin(id, constraint);
    if (failed === undefined) return;
    const { onLate } = this.options;
    if (onLate !== undefined && reason instanceof ConstraintTimeoutError) onLate(failed);
    else failed.fail(reason);
  }
}

const NO_BYTES = new Uint8Array(0);
