import { parentPort, workerData } from 'node:worker_threads';

import { collectGarbage } from '@hone/threads';
import type { DynamicModule, Type } from '@nestjs/common';

import type { ReplicaData, ReplicaMessage } from '../replicas/replica-thread.js';
import { createApp } from './create-app.js';

/** The main function of a thread that handles requests with heavy bodies: the same service, on a socket of its own. */
export async function runReplica(module: Type | DynamicModule): Promise<void> {
  const { options, socketPath } = workerData as ReplicaData;
  const app = await createApp(module, { ...options, runsJobs: false });
  await app.listen(socketPath);
  parentPort?.on('message', (message: ReplicaMessage) => {
    if (message === 'release') collectGarbage();
    else void app.close().then(() => process.exit(0));
  });
  parentPort?.postMessage('ready');
}
