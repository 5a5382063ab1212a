import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type Price, Prices } from './prices.js';

/** Reads the prices of projects. */
@Injectable()
export class PricesRepository {
  constructor(private readonly database: Database) {}

  /** All prices of a project, for calls that are shown with their costs. */
  async find(projectRowId: string): Promise<Prices> {
    return new Prices(await this.list(projectRowId));
  }

  /** The prices that a project has of its own, in no order. */
  list(projectRowId: string): Promise<Price[]> {
    return this.database.client.cost.findMany({ where: { projectId: projectRowId } });
  }
}
