import type { Server } from 'node:http';

import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { collectDefaultMetrics } from 'prom-client';

import type { AppOptions } from '../config/app-options.js';
import { EnvironmentError } from '../config/environment.js';
import { StartupError } from '../errors/startup.error.js';
import { stopListening } from '../http/stop-listening.js';
import { createApp } from './create-app.js';

/** How long the drain of running requests may take, unless the service says otherwise. */
const STOP_MS = 10_000;

/**
 * The main function of every service: reads its configuration, listens, and stops on SIGTERM, SIGINT or the end of
 * the launcher. A wrong variable is named on stderr and exits 1.
 */
export async function runService(module: Type | DynamicModule, options: () => AppOptions): Promise<void> {
  try {
    const settings = options();
    const app = await createApp(module, settings);
    collectDefaultMetrics({ register: app.getHttpAdapter().getInstance().metrics });
    stopOnRequest(app, settings.stopMs ?? STOP_MS);
    await app.listen(settings.config.port, settings.config.host);
    process.send?.('listening');
  } catch (error) {
    console.error(error instanceof EnvironmentError || error instanceof StartupError ? error.message : error);
    process.exit(1);
  }
}

function stopOnRequest(app: NestFastifyApplication, stopMs: number): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    stopListening(app.getHttpServer() as Server)
      .then(() => {
        setTimeout(() => process.exit(0), stopMs).unref();
        return app.close();
      })
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.send) process.on('disconnect', stop); // the launcher died: no other process would stop this one
}
