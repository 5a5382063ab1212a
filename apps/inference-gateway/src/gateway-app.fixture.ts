import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { InferenceGatewayModule } from './inference-gateway.module.js';

export interface GatewayApp extends TestApp {
  /** With the key of a writer. */
  caller: TestClient;
}

/** The whole gateway, on a database and a data folder of its own. */
export async function startGatewayApp(): Promise<GatewayApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-gateway-'));
  process.env.HONE_DATA_DIR = dataDir;
  const app = await startTestApp(InferenceGatewayModule);
  return {
    ...app,
    caller: app.as(`Bearer ${app.writer.key}`),
    close: async () => {
      await app.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
