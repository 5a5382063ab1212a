import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { Injectable, Logger } from '@nestjs/common';

import { KeyEndedError } from '../gateway/gateway-session.js';
import { whileClaimed } from '../queue/while-claimed.js';
import { GateAdvance } from './gate-advance.service.js';
import { GatesRepository } from './gates.repository.js';

const EVERY_MS = 1_000;
/** Not at the time of the other jobs, so that an idle service needs one connection. */
const FIRST_MS = 800;
const BATCH = 10;
/** After a fault of ours, and while comparisons take all threads. */
const AGAIN_SECONDS = 10;

/** Looks at open gates. Every replica does; a gate is claimed by one of them at a time. */
@Injectable()
export class GateWorker extends PeriodicJob {
  private readonly logger = new Logger(GateWorker.name);

  constructor(
    private readonly gates: GatesRepository,
    private readonly advancing: GateAdvance,
  ) {
    super(EVERY_MS, FIRST_MS);
  }

  /** Each gate that is due, once. */
  async run(): Promise<void> {
    for (const { id, claim } of await this.gates.claimDue(BATCH))
      if (this.isStopping) await this.gates.release(id, claim, 0);
      else
        await whileClaimed(
          () => this.gates.renew(id, claim),
          () => this.look(id, claim),
        );
  }

  private async look(id: string, claim: string): Promise<void> {
    try {
      const gate = await this.gates.find(id);
      if (gate) await this.advancing.advance(gate, claim);
    } catch (error) {
      // Bad for good: the key has ended, a run is gone, the metric is not there.
      const isForGood = [DomainError, ValidationError, KeyEndedError].some((type) => error instanceof type);
      if (isForGood) await this.gates.end(id, 'failed', (error as Error).message, null);
      else {
        this.logger.error(error, `Gate ${id} could not be looked at, and is tried again.`);
        await this.gates.release(id, claim, AGAIN_SECONDS);
      }
    }
  }
}
