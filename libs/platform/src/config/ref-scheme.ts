import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { StartupError } from '../errors/startup.error.js';
import { RefSchemeRepository } from './ref-scheme.repository.js';
import { SERVICE_CONFIG, type ServiceConfig } from './service.config.js';
import { whenDatabaseIsUp } from './when-database-is-up.js';

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

  /** @throws StartupError the database was made with another scheme; the error of Postgres when it is unavailable for a minute */
  async onApplicationBootstrap(): Promise<void> {
    const stored = await whenDatabaseIsUp(() => this.settings.fix(this.name));
    if (stored === this.name) return;
    throw new StartupError(`HONE_REF_SCHEME is wrong: expected '${stored}', with which this database was made.`);
  }
}
