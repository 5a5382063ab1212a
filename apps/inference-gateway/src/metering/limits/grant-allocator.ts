import type { Clock } from '../../shared/time/clock.js';
import type { Grant, GrantRequest, GrantSource } from './grants.js';
import { type Need, NO_LIMITS } from './limits.js';
import { LocalGrants } from './local-grants.js';
import type { SubjectAccount } from './subject-account.js';

/** After a failure the source is left alone for so long: nobody waits for a database that is away. */
const LOCAL_MS = 2_000;

/** Does the exchanges of one account, one after the other; requests that wait at the same time share one. */
export class GrantAllocator {
  /** Of requests that asked and have neither taken nor gone: an exchange is for all of them. */
  readonly #claims = new Set<Need>();
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #local: LocalGrants | undefined;
  #localUntilMs = -Infinity;

  constructor(
    private readonly account: SubjectAccount,
    private readonly holder: string,
    private readonly source: GrantSource,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Requests wait here: who comes now stands behind them. */
  get isBusy(): boolean {
    return this.#claims.size > 0;
  }

  /**
   * Asks for what a request needs, together with all others that ask in this turn of the event loop.
   *
   * @param claim an object of this request alone, which {@link leave} ends
   */
  topUp(claim: Need): Promise<void> {
    this.#claims.add(claim);
    this.#next ??= this.#then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.#next = undefined;
      await this.#exchange(this.account.topUp([...this.#claims]));
    });
    return this.#next;
  }

  /** The request has taken what it needs, or was refused. */
  leave(claim: Need): void {
    this.#claims.delete(claim);
  }

  /** What was not needed goes back, leases are kept alive, debts are paid. */
  giveBack(isWindowOver: boolean): Promise<void> {
    return this.#then(async () => {
      const request = this.account.giveBack(isWindowOver);
      if (request) await this.#exchange(request);
    });
  }

  #then(exchange: () => Promise<void>): Promise<void> {
    return (this.#last = this.#last.then(exchange));
  }

  async #exchange(request: GrantRequest): Promise<void> {
    const grant = await this.#ask(request);
    if (grant) this.account.receive(grant);
    else this.account.restore(request);
  }

  async #ask(request: GrantRequest): Promise<Grant | null> {
    if (this.clock.now() >= this.#localUntilMs) {
      try {
        const grant = await this.source.exchange(this.account.subject, this.holder, request);
        this.#local = undefined;
        return grant ?? UNLIMITED;
      } catch (error) {
        this.#localUntilMs = this.clock.now() + LOCAL_MS;
        this.onFailure(error);
      }
    }
    // What goes back belongs to the shared bucket: it stays until that is there again.
    if (request.requests.back !== 0 || request.tokens.back !== 0) return null;
    this.#local ??= new LocalGrants(this.clock);
    return this.#local.exchange(this.account.limits, request);
  }
}

const UNLIMITED: Grant = {
  limits: NO_LIMITS,
  requests: { granted: 0, level: 0 },
  tokens: { granted: 0, level: 0 },
  slots: 0,
  budget: 0,
};
