import type { Clock } from '../../shared/time/clock.js';
import type { Grant, GrantRequest, GrantSource } from './grants.js';
import { type Need, NO_LIMITS } from './limits.js';
import { LocalGrants } from './local-grants.js';
import type { SubjectAccount } from './subject-account.js';

/** Requests do not wait for an unavailable database: after a failure it is not asked for this long. */
const LOCAL_MS = 2_000;

/**
 * Allocates grants to one account: runs its exchanges one after the other. Requests that wait at the same time share
 * one exchange (single-flight).
 */
export class GrantAllocator {
  /** Claims of requests that wait for a grant; each exchange asks for all of them. */
  private readonly claims = new Set<Need>();
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();
  private local: LocalGrants | undefined;
  private localUntilMs = -Infinity;

  constructor(
    private readonly account: SubjectAccount,
    private readonly holder: string,
    private readonly source: GrantSource,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Requests wait for a grant: a new request waits behind them. */
  get isBusy(): boolean {
    return this.claims.size > 0;
  }

  /**
   * Requests a grant for one request, together with all other requests of this turn of the event loop.
   *
   * @param claim a distinct object per request; {@link leave} removes it
   */
  topUp(claim: Need): Promise<void> {
    this.claims.add(claim);
    this.next ??= this.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.next = undefined;
      await this.exchange(this.account.topUp([...this.claims]));
    });
    return this.next;
  }

  /** The request has its reservation, or was refused. */
  leave(claim: Need): void {
    this.claims.delete(claim);
  }

  /** Returns unused grants, renews holds and pays debts. */
  giveBack(isWindowOver: boolean): Promise<void> {
    return this.then(async () => {
      const request = this.account.giveBack(isWindowOver);
      if (request) await this.exchange(request);
    });
  }

  private then(exchange: () => Promise<void>): Promise<void> {
    return (this.last = this.last.then(exchange));
  }

  private async exchange(request: GrantRequest): Promise<void> {
    const grant = await this.ask(request);
    if (grant) this.account.receive(grant);
    else this.account.restore(request);
  }

  private async ask(request: GrantRequest): Promise<Grant | null> {
    if (this.clock.now() >= this.localUntilMs) {
      try {
        const grant = await this.source.exchange(this.account.subject, this.holder, request);
        this.local = undefined;
        return grant ?? UNLIMITED;
      } catch (error) {
        this.localUntilMs = this.clock.now() + LOCAL_MS;
        this.onFailure(error);
      }
    }
    // Returned tokens belong to the shared bucket: they stay in the account until the database is available.
    if (request.requests.back !== 0 || request.tokens.back !== 0) return null;
    this.local ??= new LocalGrants(this.clock);
    return this.local.exchange(this.account.limits, request);
  }
}

const UNLIMITED: Grant = {
  limits: NO_LIMITS,
  requests: { granted: 0, level: 0 },
  tokens: { granted: 0, level: 0 },
  slots: 0,
  budgets: {},
};
