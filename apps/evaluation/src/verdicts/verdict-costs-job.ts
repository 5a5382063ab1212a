import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { VerdictsRepository } from './verdicts.repository.js';

const EVERY_MS = 3_000;
/** Not at the time of the other jobs, so that an idle service needs one connection. */
const FIRST_MS = 1_300;

/** Books what verdicts cost whose requests had no answer here: their process was killed, or the gateway was late. */
@Injectable()
export class VerdictCostsJob extends PeriodicJob {
  /** Where the next run goes on: verdicts stay open for a while, and the oldest ones hold up no others. */
  private after: Date | null = null;

  constructor(private readonly verdicts: VerdictsRepository) {
    super(EVERY_MS, FIRST_MS);
  }

  async run(): Promise<void> {
    this.after = await this.verdicts.bookCosts(this.after);
    await this.verdicts.deleteAbandoned();
  }
}
