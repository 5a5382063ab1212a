import { setTimeout as sleep } from 'node:timers/promises';

import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isDatabaseUnavailable } from '@hone/database';

import { StartupError } from '../http/startup.error.js';
import { RefSchemeRepository } from './ref-scheme.repository.js';
import { SERVICE_CONFIG, type ServiceConfig } from './service.config.js';

const WAIT_MS = 60_000;
const RETRY_MS = 500;

/** The scheme of every ref this server writes; fixed when the database is made, because stored values contain it. */
@Injectable()
export class RefScheme implements OnApplicationBootstrap {
  readonly name: string;

  constructor(
    private readonly settings: RefSchemeRepository,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
  ) {
    this.name = config.refScheme;
  }

  /** @throws StartupError the database was made with another scheme, or does not answer within a minute */
  async onApplicationBootstrap(): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      try {
        const stored = await this.settings.fix(this.name);
        if (stored === this.name) return;
        throw new StartupError(`HONE_REF_SCHEME is wrong: expected '${stored}', with which this database was made.`);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}
