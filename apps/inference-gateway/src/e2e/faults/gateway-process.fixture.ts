import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ServiceProcess, startService } from '@hone/testing';

import { writeUpstreams } from './faulty-gateway.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

/** The built gateway in its own process, with its own data folder. */
export interface GatewayProcess extends ServiceProcess {
  readonly client: GatewayClient;
  /** Folder of its journals. */
  readonly journals: string;
  /** A value of `/metrics`; NaN: there is no metric of that name. */
  metric(name: string): Promise<number>;
  /** Kills the process, if it still runs, and removes its files. */
  remove(): Promise<void>;
}

/** @param key API key of the client */
export async function startGatewayProcess(
  databaseUrl: string,
  key: string,
  configuration: object,
): Promise<GatewayProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-process-'));
  const service = await startService('inference-gateway', {
    DATABASE_URL: databaseUrl,
    HONE_DATA_DIR: dataDir,
    HONE_UPSTREAMS: await writeUpstreams(configuration),
  });
  return {
    ...service,
    client: new GatewayClient(service.url, key),
    journals: join(dataDir, 'gateway', 'journal'),
    metric: async (name) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
    },
    remove: async () => {
      await service.stop('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
