import { Injectable } from '@nestjs/common';

import type { Claim } from '../queue/claim.record.js';
import { CostsJob } from '../queue/costs-job.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** Books what verdicts cost. */
@Injectable()
export class VerdictCostsJob extends CostsJob<Claim> {
  constructor(verdicts: VerdictsRepository) {
    super(verdicts);
  }
}
