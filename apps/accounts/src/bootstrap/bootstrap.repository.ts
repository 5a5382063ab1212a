import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Any number, the same in every process. */
const BOOTSTRAP_LOCK = 4_663_003;

@Injectable()
export class BootstrapRepository {
  constructor(private readonly database: Database) {}

  /** Makes processes that start at once take turns, until the ambient transaction ends. */
  async lock(): Promise<void> {
    await this.database.client.$executeRaw`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`;
  }
}
