import { isDatabaseUnavailable, SingleFlight } from '@hone/database';
import { LRUCache } from 'lru-cache';

import { databaseUnavailable } from '../../shared/errors/unavailable.errors.js';
import type { Clock } from '../../shared/time/clock.js';
import { LookupLimiter } from './lookup-limiter.js';
import type { ResolvedRef } from './trained-model.js';
import type { RefName } from './trained-models.repository.js';

export interface RefSource {
  find(name: RefName): Promise<ResolvedRef | null>;
}

interface Entry {
  readonly resolved: ResolvedRef;
  /** When the database said so; it may be older than what it says by now. */
  readMs: number;
  /** A message may have been missed: it holds only while the database is away. */
  isInvalidated: boolean;
  /** When the database did not answer. */
  failedMs: number;
  usedMs: number;
}

const MAX_ENTRIES = 10_000;
/** Upper bound on how long an entry lives where a message did not arrive. */
const FRESH_MS = 30_000;
/** The same while no messages can arrive. */
const FRESH_UNHEARD_MS = 1_000;
/** How long an entry holds while the database is away. */
const STALE_MS = 600_000;
/** A database that is away is not asked by each request. */
const ASK_AGAIN_MS = 1_000;
/** A model that was asked for within this time is in use. */
const IN_USE_MS = 600_000;

/**
 * What references mean, in memory. A message about a model takes effect at once, and what is not known is always
 * asked for: a committed checkpoint is never unknown.
 */
export class RefDirectory {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  private readonly lookups = new SingleFlight<ResolvedRef | null>();
  /** Model -> when it was asked for last, of models whose entries were forgotten since. */
  private readonly usedMs = new LRUCache<string, number>({ max: MAX_ENTRIES });
  private readonly limiter: LookupLimiter;
  /** Grows with every message, so that a lookup which began before one is not kept after it. */
  private generation = 0;

  /** @param isListening messages arrive at the moment */
  constructor(
    private readonly source: RefSource,
    private readonly clock: Clock,
    private readonly isListening: () => boolean,
  ) {
    this.limiter = new LookupLimiter(clock);
  }

  /**
   * Null: there is no such model, or no live checkpoint at that step.
   *
   * @param keyId who causes the lookup
   * @throws GatewayError 429 the key causes too many lookups; 503 the database is away
   */
  async find(name: RefName, keyId: string): Promise<ResolvedRef | null> {
    const id = idOf(name);
    const known = this.fresh(id);
    if (known) return known;
    // Those who ask together are one lookup; so are those who wait together for their turn.
    const own = `${keyId} ${id}`;
    return (
      this.lookups.get(id) ?? this.lookups.get(own) ?? this.lookups.start(own, () => this.findInTurn(id, name, keyId))
    );
  }

  /** Spends a lookup of this key on something that is not a reference. @throws GatewayError 429 */
  spend(keyId: string): Promise<void> {
    return this.limiter.take(keyId);
  }

  /** What is known of a model holds no longer. @returns it was asked for not long ago */
  invalidate(modelId: string): boolean {
    this.generation++;
    this.lookups.forgetAll();
    let usedMs = this.usedMs.get(modelId) ?? -Infinity;
    for (const [id, entry] of this.entries.entries()) {
      if (entry.resolved.model.id !== modelId) continue;
      usedMs = Math.max(usedMs, entry.usedMs);
      this.entries.delete(id);
    }
    const isInUse = this.clock.now() - usedMs < IN_USE_MS;
    if (isInUse) this.usedMs.set(modelId, usedMs);
    return isInUse;
  }

  /** Messages may have been missed: everything is read again before it is used. */
  invalidateAll(): void {
    this.generation++;
    this.lookups.forgetAll();
    for (const entry of this.entries.values()) entry.isInvalidated = true;
  }

  private fresh(id: string): ResolvedRef | null {
    const entry = this.entries.get(id);
    if (!entry) return null;
    const now = this.clock.now();
    entry.usedMs = now;
    const freshMs = this.isListening() ? FRESH_MS : FRESH_UNHEARD_MS;
    const isFresh = !entry.isInvalidated && now - entry.readMs < freshMs;
    const isAway = now - entry.failedMs < ASK_AGAIN_MS && now - entry.readMs < STALE_MS;
    return isFresh || isAway ? entry.resolved : null;
  }

  private async findInTurn(id: string, name: RefName, keyId: string): Promise<ResolvedRef | null> {
    await this.limiter.take(keyId);
    return this.fresh(id) ?? this.lookups.get(id) ?? this.lookups.start(id, () => this.read(id, name));
  }

  private async read(id: string, name: RefName): Promise<ResolvedRef | null> {
    const { generation } = this;
    const startedMs = this.clock.now();
    try {
      const resolved = await this.source.find(name);
      if (generation === this.generation) this.keep(id, resolved, startedMs);
      // It may be old by now. That the model was asked for is true all the same.
      else if (resolved !== null) this.usedMs.set(resolved.model.id, this.clock.now());
      return resolved;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return this.stale(id);
    }
  }

  private keep(id: string, resolved: ResolvedRef | null, readMs: number): void {
    if (resolved === null) this.entries.delete(id);
    else
      this.entries.set(id, { resolved, readMs, isInvalidated: false, failedMs: -Infinity, usedMs: this.clock.now() });
  }

  private stale(id: string): ResolvedRef {
    const entry = this.entries.get(id);
    const now = this.clock.now();
    if (!entry || now - entry.readMs >= STALE_MS) throw databaseUnavailable();
    entry.failedMs = now;
    return entry.resolved;
  }
}

const idOf = ({ entity, project, name, step }: RefName): string => `${entity}/${project}/${name}:${step}`;
