import type { TargetFailure } from '../../targets/target-failure.js';
import type { Slot } from '../health/target-state.js';
import { FAULT_TABLE } from '../policy/fault-table.js';
import type { Route, RouteTarget } from '../route/route.js';
import type { Eligibility } from './eligibility.js';
import type { Random } from './target-selector.js';

/** What a request does after a failed attempt. */
export type NextStep =
  /** The request has failed. */
  | { readonly kind: 'stop' }
  /** Select any target that is left, at once. */
  | { readonly kind: 'choose' }
  /** Select one of `targets` after a wait; if none of them is usable then, any that is left. */
  | { readonly kind: 'retry'; readonly targets: readonly RouteTarget[]; readonly waitMs: number };

const STOP: NextStep = { kind: 'stop' };
const CHOOSE: NextStep = { kind: 'choose' };
const JITTER = 0.2;

/** Decides after each failed attempt what the request does next: applies the fault table. */
export class AttemptPlan {
  /** The targets of the attempts so far, in order. */
  private readonly asked: RouteTarget[] = [];
  private hadRetryAtOnce: RouteTarget[] | null = null;

  constructor(
    private readonly route: Route,
    private readonly eligibility: Eligibility,
    private readonly random: Random,
  ) {}

  /** How many attempts were made. */
  get attempts(): number {
    return this.asked.length;
  }

  begin(target: RouteTarget): void {
    this.asked.push(target);
  }

  /** @param slot of the failed attempt, which was released with the failure */
  afterFailure(target: RouteTarget, { isProbe }: Slot, failure: TargetFailure): NextStep {
    const { retry, next } = FAULT_TABLE[failure.reason];
    if (next === 'none' || this.attempts >= this.route.limits.maxAttempts) return STOP;
    if (next === 'larger-context') this.eligibility.needLongerContext(target.state.target);
    if (next === 'declared') this.eligibility.needDeclared();
    // The same request does not press a breaker that is open or half-open.
    const mayRetry = retry !== 'none' && !isProbe && target.state.breaker.state === 'closed';
    if (!mayRetry || this.triesOf(target) > target.limits.retries) return this.leave(target);
    if ((retry === 'once' || retry === 'single') && !this.hadRetryAtOnce?.includes(target)) {
      (this.hadRetryAtOnce ??= []).push(target);
      return { kind: 'retry', targets: [target], waitMs: 0 };
    }
    if (retry === 'single') return this.leave(target);
    const siblings = this.untriedSiblings(target);
    if (siblings.length > 0) return { kind: 'retry', targets: siblings, waitMs: 0 };
    if (retry === 'retry-after' && failure.retryAfterMs !== undefined) return this.obey(target, failure.retryAfterMs);
    return { kind: 'retry', targets: this.tierOf(target), waitMs: this.backoffMs(target) };
  }

  private obey(target: RouteTarget, retryAfterMs: number): NextStep {
    if (retryAfterMs > target.limits.retryAfterMaxMs) return this.leave(target);
    return { kind: 'retry', targets: [target], waitMs: retryAfterMs };
  }

  private leave(target: RouteTarget): NextStep {
    this.eligibility.giveUp(target);
    return CHOOSE;
  }

  private untriedSiblings(target: RouteTarget): RouteTarget[] {
    return this.tierOf(target).filter(
      (sibling) =>
        this.triesOf(sibling) === 0 &&
        this.eligibility.isUsable(sibling) &&
        sibling.state.cooldown.leftMs === 0 &&
        !sibling.state.isFull,
    );
  }

  private tierOf(target: RouteTarget): readonly RouteTarget[] {
    return this.route.tiers.find(({ targets }) => targets.includes(target))?.targets ?? [target];
  }

  private triesOf(target: RouteTarget): number {
    return this.asked.filter((asked) => asked === target).length;
  }

  private backoffMs(target: RouteTarget): number {
    const { backoffMs, backoffMaxMs } = target.limits;
    const wait = Math.min(backoffMs * 2 ** (this.triesOf(target) - 1), backoffMaxMs);
    return wait * (1 + JITTER * (2 * this.random() - 1));
  }
}
