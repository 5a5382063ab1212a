import { Injectable } from '@nestjs/common';

import type { Claimed } from '../queue/claimed-rows.repository.js';
import { ClaimedWorker } from '../queue/claimed-worker.js';
import { GateAdvance } from './gate-advance.service.js';
import { GatesRepository } from './gates.repository.js';

/** Looks at open gates. */
@Injectable()
export class GateWorker extends ClaimedWorker {
  constructor(
    private readonly gates: GatesRepository,
    private readonly advancing: GateAdvance,
  ) {
    super(gates.claims);
  }

  protected async work(claimed: Claimed): Promise<void> {
    const gate = await this.gates.find(claimed.id);
    if (gate) await this.advancing.advance(gate, claimed);
  }

  protected fail(id: string, reason: string): Promise<unknown> {
    return this.gates.end(id, 'failed', reason, null);
  }
}
