import type { Clock } from '../upstreams/clock.js';

import type { HealthLimits } from './limits.js';

/** How long a target that said 429 is avoided. It is not broken: it is only asked last. */
export class Cooling {
  private untilMs = 0;
  private inRow = 0;

  constructor(
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {}

  /** Milliseconds that are left; 0: it does not cool. */
  get leftMs(): number {
    return this.untilMs === 0 ? 0 : Math.max(0, this.untilMs - this.clock.now());
  }

  /** @param retryAfterMs what the target asked for */
  begin(retryAfterMs: number | undefined): void {
    const { coolingMs, coolingMaxMs, coolingRetryAfterMaxMs } = this.limits;
    const own = Math.min(coolingMs * 2 ** this.inRow, coolingMaxMs);
    const ms = retryAfterMs === undefined ? own : Math.min(retryAfterMs, coolingRetryAfterMaxMs);
    this.inRow++;
    this.untilMs = Math.max(this.untilMs, this.clock.now() + ms);
  }

  /** The target answered. */
  end(): void {
    this.inRow = 0;
  }
}
