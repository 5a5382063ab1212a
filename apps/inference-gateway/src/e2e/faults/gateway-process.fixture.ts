import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ServiceProcess, startService } from '@hone/testing';

import { GatewayClient } from './gateway-client.fixture.js';
import { writeUpstreams } from './faulty-gateway.fixture.js';

/** The built gateway in a process of its own, with a data folder of its own. */
export interface GatewayProcess extends ServiceProcess {
  readonly client: GatewayClient;
  /** Where its journals are. */
  readonly journals: string;
  /** A value of `/metrics`; NaN: there is none of that name. */
  metric(name: string): Promise<number>;
  /** Ends the process, if it still runs, and removes what it left. */
  remove(): Promise<void>;
}

/** @param key that its client has */
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
