import { isDatabaseUnavailable, leastRecentlyUsed, RefreshingCache, SingleFlight } from '@hone/database';

import { DatabaseDownError } from '../../shared/errors/unavailable.errors.js';
import type { Clock } from '../../shared/time/clock.js';
import { LookupLimiter } from './lookup-limiter.js';
import type { ResolvedRef } from './trained-model.js';
import type { RefName } from './trained-models.repository.js';

export interface RefSource {
  find(name: RefName): Promise<ResolvedRef | null>;
}

const MAX_ENTRIES = 10_000;
/** How long a reference is served without a look-up, while notifications arrive and while they do not. */
const FRESH_MS = 30_000;
const FRESH_UNHEARD_MS = 1_000;
/** A model that was requested within this time is in use. */
const IN_USE_MS = 600_000;

/**
 * What references mean, cached. A notification about a model takes effect at once, and what is not cached is always
 * looked up: a committed checkpoint is never unknown.
 */
export class RefDirectory {
  private readonly refs: RefreshingCache<ResolvedRef>;
  /** Look-ups of a key that wait for their turn. */
  private readonly turns = new SingleFlight<ResolvedRef | null>();
  /** Model -> when it was last requested. */
  private readonly usedMs = leastRecentlyUsed<number>({ max: MAX_ENTRIES });
  private readonly limiter: LookupLimiter;

  /** @param isListening notifications arrive at the moment */
  constructor(
    private readonly source: RefSource,
    private readonly clock: Clock,
    isListening: () => boolean,
  ) {
    this.limiter = new LookupLimiter(clock);
    this.refs = new RefreshingCache({
      max: MAX_ENTRIES,
      freshMs: () => (isListening() ? FRESH_MS : FRESH_UNHEARD_MS),
      staleMs: 600_000,
      retryMs: 1_000,
      now: () => clock.now(),
    });
  }

  /**
   * Null: there is no such model, or no live checkpoint at that step.
   *
   * @param keyId the key that causes the look-up
   * @throws GatewayError 429 rate limit on the look-ups of the key; 503 the database is unavailable
   */
  async find(name: RefName, keyId: string): Promise<ResolvedRef | null> {
    const id = idOf(name);
    const known = this.refs.peek(id);
    if (known) return this.used(known);
    const turn = `${keyId} ${id}`;
    return this.turns.get(turn) ?? this.turns.start(turn, () => this.findInTurn(id, name, keyId));
  }

  /** Spends a look-up of this key on something that is not a reference. @throws GatewayError 429 */
  spend(keyId: string): Promise<void> {
    return this.limiter.take(keyId);
  }

  /** A model has changed. @returns whether it is in use */
  invalidate(modelId: string): boolean {
    this.turns.forgetAll();
    this.refs.delete(({ model }) => model.id === modelId);
    return this.clock.now() - (this.usedMs.get(modelId) ?? -Infinity) < IN_USE_MS;
  }

  /** Notifications may have been missed: every reference is looked up before it is served again. */
  invalidateAll(): void {
    this.turns.forgetAll();
    this.refs.invalidateAll();
  }

  private async findInTurn(id: string, name: RefName, keyId: string): Promise<ResolvedRef | null> {
    await this.limiter.take(keyId);
    try {
      const resolved = await this.refs.get(id, () => this.source.find(name));
      return resolved && this.used(resolved);
    } catch (error) {
      throw isDatabaseUnavailable(error) ? new DatabaseDownError() : error;
    }
  }

  private used(resolved: ResolvedRef): ResolvedRef {
    this.usedMs.set(resolved.model.id, this.clock.now());
    return resolved;
  }
}

const idOf = ({ entity, project, name, step }: RefName): string => `${entity}/${project}/${name}:${step}`;
