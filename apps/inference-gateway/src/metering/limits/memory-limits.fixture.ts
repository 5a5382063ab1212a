import type { Clock } from '../../shared/time/clock.js';
import { type BucketMove, type Grant, type GrantRequest, HOLD_TTL_SECONDS, type QuotaMove } from './grants.js';
import { budgetsOf, type Limits, NO_LIMITS, type Subject, subjectKey } from './limits.js';
import type { LimitStore } from './usage-limiter.js';

interface Stored {
  limits: Limits;
  levels: Map<string, { level: number; atMs: number }>;
  holds: Map<string, { amount: number; endMs: number }>;
}

/** An in-memory `LimitsRepository` on the clock of a spec; it counts its calls. */
export class MemoryLimits implements LimitStore {
  exchanges = 0;
  reads = 0;
  isUnavailable = false;
  /** In this month. */
  spent = 0;
  spentToday = 0;
  /** By the name of a model's budget. */
  readonly spentOf = new Map<string, number>();
  private readonly stored = new Map<string, Stored>();

  constructor(private readonly clock: Clock) {}

  put(key: string, limits: Partial<Limits>): void {
    const before = this.stored.get(key) ?? { levels: new Map(), holds: new Map() };
    this.stored.set(key, { ...before, limits: { ...NO_LIMITS, ...limits } });
  }

  async findAll(subjects: readonly Subject[]): Promise<(Limits | null)[]> {
    this.reads++;
    await this.answer();
    return subjects.map((subject) => this.stored.get(subjectKey(subject))?.limits ?? null);
  }

  async exchange(subject: Subject, holder: string, request: GrantRequest): Promise<Grant | null> {
    this.exchanges++;
    await this.answer();
    const stored = this.stored.get(subjectKey(subject));
    if (!stored) return null;
    const { limits } = stored;
    return {
      limits,
      requests: this.bucket(stored, 'requests', limits.requestsPerMinute, request.requests),
      tokens: this.bucket(stored, 'tokens', limits.tokensPerMinute, request.tokens),
      slots: this.quota(stored, 'slots', holder, limits.concurrentRequests, request.slots),
      budgets: Object.fromEntries(
        [...budgetsOf(limits)].map(([name, { period, model, nanoUsd }]) => {
          const ofAll = period === 'day' ? this.spentToday : this.spent;
          const spent = model === null ? ofAll : (this.spentOf.get(name) ?? 0);
          const move = request.budgets[name] ?? { hold: 0, inUse: 0 };
          return [name, { held: this.quota(stored, name, holder, minus(nanoUsd, spent), move), spent }];
        }),
      ),
    };
  }

  private async answer(): Promise<void> {
    await Promise.resolve();
    if (this.isUnavailable) throw new Error('unavailable');
  }

  private bucket({ levels }: Stored, name: string, limit: number | null, { want, back }: BucketMove) {
    if (limit === null) return { granted: 0, level: 0 };
    const atMs = this.clock.now();
    const before = levels.get(name) ?? { level: limit, atMs };
    const level = Math.min(limit, before.level + back + ((atMs - before.atMs) / 60_000) * limit);
    const granted = Math.min(want, Math.max(0, Math.floor(level)));
    levels.set(name, { level: level - granted, atMs });
    return { granted, level: level - granted };
  }

  private quota(
    { holds }: Stored,
    name: string,
    holder: string,
    limit: number | null,
    { hold, inUse }: QuotaMove,
  ): number {
    const nowMs = this.clock.now();
    let others = 0;
    for (const [key, { amount, endMs }] of holds) {
      if (key.startsWith(`${name} `) && key !== `${name} ${holder}` && endMs > nowMs) others += amount;
    }
    const held = Math.max(inUse, Math.min(hold, (limit ?? Infinity) - others));
    holds.set(`${name} ${holder}`, { amount: held, endMs: nowMs + HOLD_TTL_SECONDS * 1_000 });
    return held;
  }
}

const minus = (limit: number | null, spent: number): number | null => (limit === null ? null : limit - spent);
