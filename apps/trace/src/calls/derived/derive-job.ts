import { DerivedCallsRepository } from '@hone/calls';
import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

const INTERVAL_MS = 5_000;
const FIRST_MS = 2_000;

/** Fills the columns that are derived of values, of calls that were written without: those of earlier versions, mostly. */
@Injectable()
export class DeriveJob extends PeriodicJob {
  constructor(private readonly calls: DerivedCallsRepository) {
    super(INTERVAL_MS, FIRST_MS);
  }

  /** Derives all there is to derive, unless the process stops. Several processes share the work. @returns how many calls */
  async run(): Promise<number> {
    let derived = 0;
    while (!this.isStopping) {
      const count = await this.calls.deriveBatch();
      if (count === 0) break;
      derived += count;
    }
    return derived;
  }
}
