import { ErasedDigestsRepository } from '@hone/calls';
import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallErasureRepository, ERASURE_BATCH_CALLS } from './call-erasure.repository.js';
import { EXPIRED_KINDS, ExpiredCallsRepository } from './expired-calls.repository.js';

/** `docs/operations/security.md` promises an hour. */
const INTERVAL_MS = 600_000;
/** A process that never lives for ten minutes erases, too. */
const FIRST_MS = 60_000;

/** Erases the content of deleted and expired calls, and then the chunks and files that nothing names any more, in small batches. */
@Injectable()
export class ErasureJob extends PeriodicJob {
  constructor(
    private readonly expired: ExpiredCallsRepository,
    private readonly calls: CallErasureRepository,
    private readonly digests: ErasedDigestsRepository,
  ) {
    super(INTERVAL_MS, FIRST_MS);
  }

  /** Erases all there is to erase, unless another process does already, or this one stops. @returns how many calls */
  async run(): Promise<number> {
    let erased = 0;
    for (const eraseBatch of await this.kinds()) {
      for (let batch = ERASURE_BATCH_CALLS; batch === ERASURE_BATCH_CALLS; erased += batch) {
        const count = this.isStopping ? null : await eraseBatch();
        if (count === null) return erased;
        batch = count;
      }
    }
    while (!this.isStopping && (await this.digests.collectBatch()) > 0);
    return erased;
  }

  private async kinds(): Promise<(() => Promise<number | null>)[]> {
    const expired = (await this.expired.list()).flatMap((calls) =>
      EXPIRED_KINDS.map((kind) => () => this.calls.eraseExpired(calls, kind)),
    );
    return [() => this.calls.eraseDeleted(), ...expired];
  }
}
