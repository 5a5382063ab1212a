import { parentPort, workerData } from 'node:worker_threads';

import type { DynamicModule, Type } from '@nestjs/common';

import { createApp } from '../app/create-app.js';
import type { AppOptions } from '../config/app-options.js';

/** What a replica is started with. */
export interface ReplicaData {
  options: Omit<AppOptions, 'logStream' | 'replica' | 'stopMs'>;
  /** Where it listens. */
  socketPath: string;
}

/** The main function of a thread that handles requests with heavy bodies: the same service, on a socket of its own. */
export async function runReplica(module: Type | DynamicModule): Promise<void> {
  const { options, socketPath } = workerData as ReplicaData;
  const app = await createApp(module, options);
  await app.listen(socketPath);
  parentPort?.once('message', () => void app.close().then(() => process.exit(0)));
  parentPort?.postMessage('ready');
}
