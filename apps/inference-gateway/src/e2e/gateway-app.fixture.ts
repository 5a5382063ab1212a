import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { InferenceGatewayModule } from '../inference-gateway.module.js';
import { connectedClient } from './connected-client.fixture.js';

export interface GatewayApp extends TestApp {
  /** Client with a writer's key and keep-alive connections; the service listens from the first request on. */
  caller: TestClient;
  /** Rewrites the upstreams file; the gateway reloads it within seconds. */
  configure(upstreams: object): Promise<void>;
}

/**
 * The whole gateway, on a database and a data folder of its own.
 *
 * @param upstreams what the upstreams file says; absent: there is none
 * @param onLogLine gets each line of the log; absent: nothing is logged
 */
export async function startGatewayApp(upstreams?: object, onLogLine?: (line: string) => void): Promise<GatewayApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-gateway-'));
  const file = join(dataDir, 'upstreams.json');
  process.env.HONE_DATA_DIR = dataDir;
  const configure = (changed: object) => writeFile(file, JSON.stringify(changed, null, 2));
  if (upstreams) {
    await configure(upstreams);
    process.env.HONE_UPSTREAMS = file;
  }
  const log = onLogLine && { logStream: { write: onLogLine } };
  // The module reads its upstreams from the environment, and these are each test's own.
  const app = await startTestApp(InferenceGatewayModule, log && { logLevel: 'info' }, { isOwn: true, ...log });
  return {
    ...app,
    caller: connectedClient(app.app, `Bearer ${app.writer.key}`),
    configure,
    close: async () => {
      await app.close();
      delete process.env.HONE_UPSTREAMS;
      await rm(dataDir, { recursive: true });
    },
  };
}
