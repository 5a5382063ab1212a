import type { Clock, Timer } from '../../upstreams/clock.js';
import { GrantDesk } from './grant-desk.js';
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
  readonly desk: GrantDesk;
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
  readonly #entries = new Map<string, Entry>();
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
    const entries = [this.#entry('key', request.keyId), this.#entry('project', request.projectId)];
    const isEnough = entries.every(
      (entry) => this.#isKnown(entry) && !entry.desk.isBusy && entry.account.lacking(request) === null,
    );
    return isEnough ? this.#take(entries, request) : this.#reserveLater(entries, request);
  }

  /** The limits of a subject changed, or may have: they are read before its next request passes. */
  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.isOutdated = true;
  }

  forgetAll(): void {
    for (const entry of this.#entries.values()) entry.isOutdated = true;
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
    for (const [key, entry] of this.#entries) {
      if (entry.account.isIdle && nowMs - entry.usedMs > MAX_AGE_MS) this.#entries.delete(key);
    }
    const limited = [...this.#entries.values()].filter(({ account }) => account.isLimited);
    await Promise.all(limited.map(({ desk }) => desk.giveBack(isWindowOver)));
  }

  async #reserveLater(entries: Entry[], request: ReserveRequest): Promise<Reservation> {
    if (!entries.every((entry) => this.#isKnown(entry))) await this.#read(entries);
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
    const { clock } = this.options;
    const parts = entries.map(({ account }) => ({ account, taken: account.take(need) }));
    return new Reservation(
      parts,
      () => clock.now(),
      (account, costNanoUsd) => this.#spending.add(account, costNanoUsd, clock.now()),
    );
  }

  #entry(scope: Subject['scope'], id: string): Entry {
    const { clock, holder, onFailure = () => undefined } = this.options;
    const key = `${scope}/${id}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      const account = new SubjectAccount({ scope, id }, clock);
      const desk = new GrantDesk(account, holder, this.store, clock, onFailure);
      entry = { account, desk, readMs: -Infinity, isOutdated: false, isRefreshing: false, usedMs: 0 };
      this.#entries.set(key, entry);
    }
    entry.usedMs = clock.now();
    return entry;
  }

  /** Limits that are merely old are gone by while they are read again. */
  #isKnown(entry: Entry): boolean {
    const ageMs = this.options.clock.now() - entry.readMs;
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
