import { Injectable } from '@nestjs/common';
import { Database } from '@hone/database';

import { Prices } from './prices.js';

/** Reads prices for calls that are shown with their costs. */
@Injectable()
export class PriceRepository {
  constructor(private readonly database: Database) {}

  /** All prices of a project. */
  async list(projectRowId: string): Promise<Prices> {
    const rows = await this.database.client.cost.findMany({ where: { projectId: projectRowId } });
    return new Prices(rows);
  }
}
