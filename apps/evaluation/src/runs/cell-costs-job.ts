import { Injectable } from '@nestjs/common';

import { CostsJob } from '../queue/costs-job.js';
import { CellsRepository } from './cells.repository.js';
import type { CellClaim } from './evaluation-job.record.js';

const FIRST_MS = 1_600;

/** Books what cells cost. */
@Injectable()
export class CellCostsJob extends CostsJob<CellClaim> {
  constructor(cells: CellsRepository) {
    super(cells, FIRST_MS);
  }
}
