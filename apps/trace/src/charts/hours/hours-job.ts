import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallHoursRepository, HOURS_BATCH } from './call-hours.repository.js';

const INTERVAL_MS = 15_000;
const FIRST_MS = 5_000;

/** Sums up the hours whose calls have changed. Charts read the calls themselves of those that it has not come to yet. */
@Injectable()
export class HoursJob extends PeriodicJob {
  constructor(private readonly hours: CallHoursRepository) {
    super(INTERVAL_MS, FIRST_MS);
  }

  /** Sums up all that is to be summed up, unless another process does, or this one stops. @returns how many hours */
  async run(quietSeconds?: number): Promise<number> {
    let done = 0;
    while (!this.isStopping) {
      const count = await this.hours.sumUpBatch(quietSeconds);
      done += count ?? 0;
      if (count === null || count < HOURS_BATCH) break;
    }
    await this.hours.joinMarks();
    return done;
  }
}
