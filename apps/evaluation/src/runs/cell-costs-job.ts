import { Injectable } from '@nestjs/common';

import { CostsJob } from '../queue/costs-job.js';
import { CellsRepository } from './cells.repository.js';
import type { CellClaim } from './evaluation-job.record.js';
import { OldCells } from './old-cells.service.js';

/** Books what cells cost, and deletes old ones. */
@Injectable()
export class CellCostsJob extends CostsJob<CellClaim> {
  constructor(
    cells: CellsRepository,
    private readonly old: OldCells,
  ) {
    super(cells);
  }

  override async run(): Promise<void> {
    await super.run();
    await this.old.deleteSome();
  }
}
