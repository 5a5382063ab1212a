import { Pool } from 'undici';

import type { ServiceName } from '../routes/routes.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** How long a service may be silent, before its answer and inside it: the services have the closer limits. */
const SILENCE_TIMEOUT_MS = 3_600_000;
const MAX_HEADER_BYTES = 65_536;

export interface Replica {
  url: string;
  pool: Pool;
}

/** The processes of one service. Requests go to them in turn. */
export class Replicas {
  readonly all: readonly Replica[];
  private turn = 0;
  private downSinceMs: number | undefined;
  private hasGivenUp = false;

  /** @param waitMs how long requests wait for a service of which no replica can be reached; 0: not at all */
  constructor(
    readonly service: ServiceName,
    urls: readonly string[],
    private readonly waitMs: number,
  ) {
    this.all = urls.map((url) => ({
      url,
      pool: new Pool(url, {
        connectTimeout: CONNECT_TIMEOUT_MS,
        headersTimeout: SILENCE_TIMEOUT_MS,
        bodyTimeout: SILENCE_TIMEOUT_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
      }),
    }));
  }

  /** All of them, in the order in which the next request should try them. */
  inTurn(): Replica[] {
    const first = this.turn++ % this.all.length;
    return [...this.all.slice(first), ...this.all.slice(0, first)];
  }

  markReached(): void {
    this.downSinceMs = undefined;
  }

  /**
   * Whether a request that no replica took should wait: the service is perhaps being restarted. The time counts from
   * the beginning of the outage, so that requests to a service that stays unavailable fail at once.
   */
  isComingBack(nowMs = Date.now()): boolean {
    this.downSinceMs ??= nowMs;
    return !this.hasGivenUp && nowMs - this.downSinceMs < this.waitMs;
  }

  /** Nothing waits any longer: the proxy itself is to stop. */
  giveUp(): void {
    this.hasGivenUp = true;
  }

  async destroy(): Promise<void> {
    await Promise.all(this.all.map(({ pool }) => pool.destroy()));
  }
}
