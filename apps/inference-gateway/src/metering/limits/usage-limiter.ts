import type { Clock, Timer } from '../../shared/time/clock.js';
import { GrantAllocator } from './grant-allocator.js';
import type { GrantSource } from './grants.js';
import { type Limits, type Need, NO_LIMITS, type Subject } from './limits.js';
import { LimitsUnavailableError } from './limits.errors.js';
import { Reservation } from './reservation.js';
import { Spending } from './spending.js';
import { SubjectAccount } from './subject-account.js';

/** Limits, and grants of them. */
export interface LimitStore extends GrantSource {
  /** In order; null: no limits. */
  findAll(subjects: readonly Subject[]): Promise<(Limits | null)[]>;
}

export interface LimiterOptions {
  clock: Clock;
  /** Name of this process among those that share the limits; no two have the same. */
  holder: string;
  /** The store did not answer: this process goes by its own share until it does. */
  onFailure?: (error: unknown) => void;
}

/** Who asks, and for how much. */
export interface ReserveRequest extends Need {
  readonly keyId: string;
  /** Row id. */
  readonly projectId: string;
}

interface Entry {
  readonly account: SubjectAccount;
  readonly desk: GrantAllocator;
  /** When the limits were read; -Infinity: never. */
  readMs: number;
  /** They changed since. */
  isOutdated: boolean;
  isRefreshing: boolean;
  usedMs: number;
}

const TICK_MS = 1_000;
const WINDOW_TICKS = 5;
const REFRESH_MS = 30_000;
/** Limits that could not be read again are gone by for this long. */
const MAX_AGE_MS = 600_000;

/** Lets requests pass within the limits of their key and their project, which all gateways share. */
export class UsageLimiter {
  /** By the row id of the subject. */
  readonly #entries: Readonly<Record<Subject['scope'], Map<string, Entry>>> = { key: new Map(), project: new Map() };
  readonly #spending = new Spending();
  #timer: Timer | undefined;
  #tick = 0;

  constructor(
    private readonly store: LimitStore,
    private readonly options: LimiterOptions,
  ) {}

  /**
   * All limits or none. Synchronous as long as this process holds grants that suffice; otherwise one grant call.
   *
   * @throws LimitExceededError, LimitsUnavailableError (the promise is rejected)
   */
  reserve(request: ReserveRequest): Reservation | Promise<Reservation> {
    const nowMs = this.options.clock.now();
    const key = this.#entry('key', request.keyId, nowMs);
    const project = this.#entry('project', request.projectId, nowMs);
    const isEnough = this.#isEnough(key, request, nowMs) && this.#isEnough(project, request, nowMs);
    return isEnough ? this.#take([key, project], request) : this.#reserveLater([key, project], request);
  }

  /** The limits of a subject changed, or may have: they are read before its next request passes. */
  forget(key: string): void {
    const [scope = '', id = ''] = key.split('/', 2);
    const entry = Object.hasOwn(this.#entries, scope) && this.#entries[scope as Subject['scope']].get(id);
    if (entry) entry.isOutdated = true;
  }

  forgetAll(): void {
    for (const entry of this.#all()) entry.isOutdated = true;
  }

  /** Usage that was settled before `atMs` of the clock is in the sums that budgets are checked against. */
  onCommitted(atMs: number): void {
    this.#spending.release(atMs);
  }

  start(): void {
    this.#timer = this.options.clock.after(TICK_MS, () => {
      this.#tick++;
      void this.giveBack(this.#tick % WINDOW_TICKS === 0).finally(() => this.#timer && this.start());
    });
  }

  /** Gives everything back that is not in use. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.giveBack(true);
    await this.giveBack(true); // the first one ended the window in which it was used
  }

  /** Runs once a second; every fifth run ends a window. */
  async giveBack(isWindowOver: boolean): Promise<void> {
    const nowMs = this.options.clock.now();
    for (const entries of Object.values(this.#entries)) {
      for (const [id, { account, usedMs }] of entries) {
        if (account.isIdle && nowMs - usedMs > MAX_AGE_MS) entries.delete(id);
      }
    }
    const limited = this.#all().filter(({ account }) => account.isLimited);
    await Promise.all(limited.map(({ desk }) => desk.giveBack(isWindowOver)));
  }

  #all(): Entry[] {
    return [...this.#entries.key.values(), ...this.#entries.project.values()];
  }

  #isEnough(entry: Entry, request: ReserveRequest, nowMs: number): boolean {
    return this.#isKnown(entry, nowMs) && !entry.desk.isBusy && entry.account.lacking(request) === null;
  }

  async #reserveLater(entries: Entry[], request: ReserveRequest): Promise<Reservation> {
    const nowMs = this.options.clock.now();
    if (!entries.every((entry) => this.#isKnown(entry, nowMs))) await this.#read(entries);
    const desks = entries
      .filter(({ desk, account }) => desk.isBusy || account.lacking(request) !== null)
      .map(({ desk }) => desk);
    const claim: Need = { tokens: request.tokens, costNanoUsd: request.costNanoUsd };
    try {
      await Promise.all(desks.map((desk) => desk.topUp(claim)));
      for (const { account } of entries) {
        const limit = account.lackingForGood(request);
        if (limit) throw account.refusal(limit, request);
      }
      return this.#take(entries, request);
    } finally {
      for (const desk of desks) desk.leave(claim);
    }
  }

  #take(entries: Entry[], need: Need): Reservation {
    const parts = entries.map(({ account }) => ({ account, taken: account.take(need) }));
    return new Reservation(parts, this.options.clock, this.#spending);
  }

  #entry(scope: Subject['scope'], id: string, nowMs: number): Entry {
    const { clock, holder, onFailure = () => undefined } = this.options;
    let entry = this.#entries[scope].get(id);
    if (!entry) {
      const account = new SubjectAccount({ scope, id }, clock);
      const desk = new GrantAllocator(account, holder, this.store, clock, onFailure);
      entry = { account, desk, readMs: -Infinity, isOutdated: false, isRefreshing: false, usedMs: 0 };
      this.#entries[scope].set(id, entry);
    }
    entry.usedMs = nowMs;
    return entry;
  }

  /** Limits that are merely old are gone by while they are read again. */
  #isKnown(entry: Entry, nowMs: number): boolean {
    const ageMs = nowMs - entry.readMs;
    if (entry.isOutdated || ageMs > MAX_AGE_MS) return false;
    if (ageMs > REFRESH_MS) void this.#refresh(entry);
    return true;
  }

  async #refresh(entry: Entry): Promise<void> {
    if (entry.isRefreshing) return;
    entry.isRefreshing = true;
    await this.#read([entry]).catch(() => undefined); // nobody waits, and the failure was told
    entry.isRefreshing = false;
  }

  /** @throws LimitsUnavailableError they were never read, or too long ago */
  async #read(entries: Entry[]): Promise<void> {
    for (const entry of entries) entry.isOutdated = false; // before the read: a change during it counts
    try {
      const limits = await this.store.findAll(entries.map(({ account }) => account.subject));
      entries.forEach(({ account }, index) => account.setLimits(limits[index] ?? NO_LIMITS));
      for (const entry of entries) entry.readMs = this.options.clock.now();
    } catch (error) {
      this.options.onFailure?.(error);
      const oldestMs = Math.min(...entries.map(({ readMs }) => readMs));
      if (this.options.clock.now() - oldestMs > MAX_AGE_MS) throw new LimitsUnavailableError(error);
    }
  }
}
