import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { Logger } from '@nestjs/common';

import { GatewayRefusedError, GatewayUnavailableError, KeyEndedError } from '../gateway/gateway-session.js';
import type { Claimed, ClaimedRows } from './claimed-rows.repository.js';
import { whileClaimed } from './while-claimed.js';

const EVERY_MS = 1_000;
const BATCH = 10;
/** After a fault of ours, and while another service does not answer. */
const AGAIN_SECONDS = 10;
/** Bad for good: the key has ended, a run is gone, a model is no more. */
const FINAL = [DomainError, ValidationError, KeyEndedError, GatewayRefusedError];

/** Takes rows that are due further. Every replica does; a row is claimed by one of them at a time. */
export abstract class ClaimedWorker extends PeriodicJob {
  private readonly logger = new Logger(this.constructor.name);

  protected constructor(private readonly claims: ClaimedRows) {
    super(EVERY_MS);
  }

  /** Each row that is due, once. */
  async run(): Promise<void> {
    for (const claimed of await this.claims.claimDue(BATCH))
      if (this.isStopping) await this.claims.release(claimed, 0);
      else
        await whileClaimed(
          () => this.claims.renew(claimed),
          () => this.tryWork(claimed),
        );
  }

  /** Takes a row as far as it goes, and releases it. */
  protected abstract work(claimed: Claimed): Promise<void>;

  /** Ends a row that can never go on. */
  protected abstract fail(id: string, reason: string): Promise<unknown>;

  private async tryWork(claimed: Claimed): Promise<void> {
    try {
      await this.work(claimed);
    } catch (error) {
      if (FINAL.some((type) => error instanceof type)) await this.fail(claimed.id, (error as Error).message);
      else {
        if (!(error instanceof GatewayUnavailableError))
          this.logger.error(error, `Work on ${claimed.id} could not go on, and is tried again.`);
        await this.claims.release(claimed, AGAIN_SECONDS);
      }
    }
  }
}
