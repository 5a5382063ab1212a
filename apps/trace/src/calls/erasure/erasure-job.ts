import { ErasedDigestsRepository } from '@hone/calls';
import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import {
  CallErasureRepository,
  type DeletedPlace,
  type ErasedBatch,
  ERASURE_BATCH_CALLS,
} from './call-erasure.repository.js';
import { EXPIRED_KINDS, ExpiredCallsRepository, type ExpiredPlace } from './expired-calls.repository.js';

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
    for (const eraseAll of await this.kinds()) {
      const { count, isWhole } = await eraseAll();
      erased += count;
      if (!isWhole) return erased;
    }
    while (!this.isStopping && (await this.digests.collectBatch()) > 0);
    return erased;
  }

  private async kinds(): Promise<(() => Promise<Erased>)[]> {
    const expired = (await this.expired.list()).flatMap((calls) =>
      EXPIRED_KINDS.map(
        (kind) => () => this.inBatches((after: ExpiredPlace | null) => this.calls.eraseExpired(calls, kind, after)),
      ),
    );
    return [() => this.inBatches((after: DeletedPlace | null) => this.calls.eraseDeleted(after)), ...expired];
  }

  private async inBatches<Place>(
    eraseBatch: (after: Place | null) => Promise<ErasedBatch<Place> | null>,
  ): Promise<Erased> {
    let count = 0;
    let after: Place | null = null;
    for (;;) {
      const batch: ErasedBatch<Place> | null = this.isStopping ? null : await eraseBatch(after);
      if (batch === null) return { count, isWhole: false };
      count += batch.count;
      after = batch.last;
      if (batch.count < ERASURE_BATCH_CALLS) return { count, isWhole: true };
    }
  }
}

interface Erased {
  /** How many calls. */
  readonly count: number;
  /** False: the process stops, or another one erases. */
  readonly isWhole: boolean;
}
