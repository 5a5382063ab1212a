import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';

import { NotificationListener } from '../notifications/notification-listener.js';
import type { DatabaseConfig } from './database.config.js';
import { Database } from './database.js';

/** Provides {@link Database} and {@link NotificationListener} to the whole application and closes them at its end. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(NotificationListener) private readonly listener: NotificationListener,
  ) {}

  static forRoot(config: Partial<DatabaseConfig> & { url: string }): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        { provide: Database, useFactory: () => Database.connect(config) },
        { provide: NotificationListener, useFactory: () => new NotificationListener(config.url) },
      ],
      exports: [Database, NotificationListener],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener.close();
    await this.database.close();
  }
}
