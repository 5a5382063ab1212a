import { RefreshingCache } from '@hone/database';

import type { Clock, Timer } from '../../shared/time/clock.js';
import { GrantAllocator } from './grant-allocator.js';
import type { GrantSource } from './grants.js';
import { type LimitExceededError, LimitsUnavailableError } from './limits.errors.js';
import { type Limits, type Need, NO_LIMITS, type Subject, subjectKey } from './limits.js';
import { chooseModels } from './model-choice.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import { Reservation } from './reservation.js';
import { Spending } from './spending.js';
import { SubjectAccount } from './subject-account.js';

/** Reads limits and grants parts of them. */
export interface LimitStore extends GrantSource {
  /** The limits of each subject, in order; null: no limits. */
  findAll(subjects: readonly Subject[]): Promise<(Limits | null)[]>;
}

export interface LimiterOptions {
  clock: Clock;
  /** Unique name of this process among those that share the limits. */
  holder: string;
  /** The store failed: this process applies the limits by itself until it is available again. */
  onFailure?: (error: unknown) => void;
}

/** Which key and project a request is charged to, and how much it needs. */
export interface ReserveRequest extends Need {
  readonly keyId: string;
  /** Row id. */
  readonly projectId: string;
}

interface Entry {
  /** {@link subjectKey}. */
  readonly key: string;
  readonly account: SubjectAccount;
  readonly allocator: GrantAllocator;
  /** Reads the limits. */
  readonly load: () => Promise<Limits>;
  /** The limits that were read last; null: not read yet. An exchange may have given the account newer ones. */
  read: Limits | null;
  usedMs: number;
}

const TICK_MS = 1_000;
const WINDOW_TICKS = 5;
const MAX_SUBJECTS = 200_000;
const REFRESH_MS = 30_000;
/** Limits stay in effect for this long while the database is unavailable. */
const MAX_AGE_MS = 600_000;

/**
 * Rate limiter: enforces the rate limits (token buckets), quotas and budgets of keys and projects, which all gateways
 * share. Our own: the usual libraries make one round trip per request, here a request passes without one while the
 * process holds grants.
 */
export class UsageLimiter {
  /** By the row id of the subject. */
  private readonly entries: Readonly<Record<Subject['scope'], Map<string, Entry>>> = {
    key: new Map(),
    project: new Map(),
  };
  private readonly limits: RefreshingCache<Limits>;
  private readonly spending = new Spending();
  private timer: Timer | undefined;
  private tick = 0;

  constructor(
    private readonly store: LimitStore,
    private readonly options: LimiterOptions,
  ) {
    this.limits = new RefreshingCache({
      max: MAX_SUBJECTS,
      freshMs: MAX_AGE_MS,
      refreshMs: REFRESH_MS,
      staleMs: MAX_AGE_MS,
      retryMs: 1_000,
      isUnavailable: () => true,
      now: () => options.clock.now(),
    });
  }

  /**
   * Reserves from all limits or none. Synchronous while this process holds sufficient grants; otherwise one exchange. Of several
   * models, those whose budgets are used up are left out ({@link Reservation.admits}); a request is refused when all are.
   *
   * @throws LimitExceededError, LimitsUnavailableError (the promise is rejected)
   */
  reserve(request: ReserveRequest): Reservation | Promise<Reservation> {
    const nowMs = this.options.clock.now();
    const key = this.entry('key', request.keyId, nowMs);
    const project = this.entry('project', request.projectId, nowMs);
    const isEnough = this.isEnough(key, request) && this.isEnough(project, request);
    return isEnough ? this.take([key, project], request) : this.reserveLater([key, project], request);
  }

  /** Current `x-ratelimit-*` headers of a key and a project; empty when no limits of theirs are known. */
  headers(keyId: string, projectId: string): Record<string, string> {
    const entries = [this.entries.key.get(keyId), this.entries.project.get(projectId)];
    return this.headersOf(entries.filter((entry) => entry !== undefined));
  }

  private headersOf(entries: readonly Entry[]): Record<string, string> {
    const accounts = entries.map(({ account }) => account);
    return rateLimitHeaders(accounts, this.options.clock.now());
  }

  /** Invalidates the limits of a subject: the next request reads them. @param key {@link subjectKey} */
  forget(key: string): void {
    this.limits.invalidate(key);
  }

  forgetAll(): void {
    this.limits.invalidateAll();
  }

  /** The sums in the database include all usage that was settled before `atMs` of the clock. */
  onCommitted(atMs: number): void {
    this.spending.release(atMs);
  }

  start(): void {
    this.timer = this.options.clock.after(TICK_MS, () => {
      this.tick++;
      void this.giveBack(this.tick % WINDOW_TICKS === 0).finally(() => this.timer && this.start());
    });
  }

  /** Returns all grants that are not in use. */
  async stop(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    await this.giveBack(true);
    await this.giveBack(true); // the first call ended the window in which they were used
  }

  /** Returns unused grants; runs once a second. @param isWindowOver true for every fifth run */
  async giveBack(isWindowOver: boolean): Promise<void> {
    const nowMs = this.options.clock.now();
    for (const entries of Object.values(this.entries)) {
      for (const [id, { account, usedMs }] of entries) {
        if (account.isIdle && nowMs - usedMs > MAX_AGE_MS) entries.delete(id);
      }
    }
    const all = [...this.entries.key.values(), ...this.entries.project.values()];
    const limited = all.filter(({ account }) => account.isLimited);
    await Promise.all(limited.map(({ allocator }) => allocator.giveBack(isWindowOver)));
  }

  private isEnough(entry: Entry, request: ReserveRequest): boolean {
    const limits = this.limits.peek(entry.key, entry.load);
    if (limits === undefined) return false;
    apply(entry, limits);
    return !entry.allocator.isBusy && entry.account.lacking(request) === null;
  }

  private async reserveLater(entries: Entry[], request: ReserveRequest): Promise<Reservation> {
    await Promise.all(entries.map((entry) => this.refresh(entry)));
    const allocators = entries
      .filter(({ allocator, account }) => allocator.isBusy || account.lacking(request) !== null)
      .map(({ allocator }) => allocator);
    const { tokens, costNanoUsd, models, ofBudgetsAlone } = request;
    const claim: Need = { tokens, costNanoUsd, models, ofBudgetsAlone };
    try {
      await Promise.all(allocators.map((allocator) => allocator.topUp(claim)));
      const accounts = entries.map(({ account }) => account);
      const { need, refused } = chooseModels(claim, accounts);
      const refusal = this.refusalOf(need, accounts);
      if (refusal !== null) throw refusal;
      return this.take(entries, need, refused && this.refusalOf(refused, accounts));
    } finally {
      for (const allocator of allocators) allocator.leave(claim);
    }
  }

  /** After a grant call. Null: the request may pass. */
  private refusalOf(need: Need, accounts: readonly SubjectAccount[]): LimitExceededError | null {
    for (const account of accounts) {
      const limit = account.exceeded(need);
      if (limit) return account.refusal(limit, need, rateLimitHeaders(accounts, this.options.clock.now()));
    }
    return null;
  }

  private take(entries: Entry[], need: Need, refusal: LimitExceededError | null = null): Reservation {
    const parts = entries.map(({ account }) => ({ account, taken: account.take(need) }));
    const admitted = refusal && { models: need.models, refusal };
    return new Reservation(parts, this.options.clock, this.spending, admitted);
  }

  private entry(scope: Subject['scope'], id: string, nowMs: number): Entry {
    const { clock, holder, onFailure = () => undefined } = this.options;
    let entry = this.entries[scope].get(id);
    if (!entry) {
      const account = new SubjectAccount({ scope, id }, clock);
      const allocator = new GrantAllocator(account, holder, this.store, clock, onFailure);
      const load = () => this.read(account.subject);
      entry = { key: subjectKey({ scope, id }), account, allocator, load, read: null, usedMs: 0 };
      this.entries[scope].set(id, entry);
    }
    entry.usedMs = nowMs;
    return entry;
  }

  /** @throws LimitsUnavailableError the limits were never read, or too long ago */
  private async refresh(entry: Entry): Promise<void> {
    try {
      const limits = await this.limits.get(entry.key, entry.load);
      apply(entry, limits ?? NO_LIMITS);
    } catch (error) {
      throw new LimitsUnavailableError(error);
    }
  }

  private async read(subject: Subject): Promise<Limits> {
    try {
      const [limits] = await this.store.findAll([subject]);
      return limits ?? NO_LIMITS;
    } catch (error) {
      this.options.onFailure?.(error);
      throw error;
    }
  }
}

/** Applies limits once per read: an exchange may have given the account newer limits than an earlier read. */
function apply(entry: Entry, limits: Limits): void {
  if (entry.read === limits) return;
  entry.read = limits;
  entry.account.setLimits(limits);
}
