import { NotificationListener } from '@hone/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { rememberRows, resetRows } from '../database/database-reset.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';

/** A booted service and its database. */
export interface BootedApp {
  readonly app: NestFastifyApplication;
  readonly database: TestDatabase;
}

/** What an idle service must be of to be used again. */
export interface AppKey {
  readonly module: object;
  /** As JSON. */
  readonly config: string;
}

type Boot = (databaseUrl: string) => Promise<NestFastifyApplication>;

/** Message with which Jest ends a worker process (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/** Idle services that a process keeps. */
const MAX_IDLE = 3;

/**
 * Booted services that one test file after the other uses: a boot and a database take longer than most files need
 * them. A file gets the service with the rows of its boot and no others. Nothing else of it is reset, so a test that
 * changes the service itself (stops it, listens on a port, exhausts a limit) gets one of its own, or leaves this one unfit.
 */
class AppPool {
  /** The one that was used last is the last. */
  private idle: (BootedApp & { key: AppKey })[] = [];
  private readonly closed = new WeakSet<NestFastifyApplication>();

  async take(key: AppKey, boot: Boot): Promise<BootedApp> {
    const found = this.idle.findLast((one) => one.key.module === key.module && one.key.config === key.config);
    if (!found) return this.boot(boot);
    this.idle = this.idle.filter((one) => one !== found);
    await resetRows(found.database);
    found.app.get(NotificationListener).announceGap(); // it forgets which rows there were
    return found;
  }

  private async boot(boot: Boot): Promise<BootedApp> {
    const booted = await bootOnDatabase(boot);
    await rememberRows(booted.database);
    const { app } = booted;
    const close = app.close.bind(app);
    app.close = () => {
      this.closed.add(app);
      return close();
    };
    return booted;
  }

  /** The next file may have it. One that was closed or listens on a port is not used again. */
  async release(key: AppKey, { app, database }: BootedApp): Promise<void> {
    if (this.closed.has(app)) return database.drop();
    if ((app.getHttpServer() as { listening: boolean }).listening) return closeBooted({ app, database });
    this.idle.push({ app, database, key });
    if (this.idle.length > MAX_IDLE) await closeBooted(this.idle.shift() as BootedApp);
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map(closeBooted));
  }
}

export async function bootOnDatabase(boot: Boot): Promise<BootedApp> {
  const database = await createTestDatabase();
  try {
    return { app: await boot(database.url), database };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

export async function closeBooted({ app, database }: BootedApp): Promise<void> {
  await app.close();
  await database.drop();
}

export const appPool = new AppPool();

// Idle services would keep their process alive. A worker of Jest has nothing left to do when it is told to end; where
// Jest runs the files in its own process, its global teardown closes them.
(globalThis as Record<string, unknown>)['__honeCloseIdleApps'] = () => appPool.close();
process.on('message', function onMessage(message) {
  if (Array.isArray(message) && message[0] === END) process.exit(0);
});
