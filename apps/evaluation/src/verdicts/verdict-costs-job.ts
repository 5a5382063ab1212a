import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { VerdictsRepository } from './verdicts.repository.js';

const EVERY_MS = 3_000;

/** Books what verdicts cost whose requests had no answer here: their process was killed, or the gateway was late. */
@Injectable()
export class VerdictCostsJob extends PeriodicJob {
  constructor(private readonly verdicts: VerdictsRepository) {
    super(EVERY_MS);
  }

  run(): Promise<void> {
    return this.verdicts.bookCosts();
  }
}
